// The leanest bot for Discord, by hand: ws, an undici Pool, JSON.parse and a Map.
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { ROLL, SEEN } from '../platform/sample-data.js';

const { BOT_TOKEN: token, BOT_BASE_URL = '', BOT_GATEWAY_URL } = process.env;
const OPS = { heartbeat: 1, identify: 2, hello: 10 };
const MESSAGE_CALLBACK = 4;

const pool = new Pool(BOT_BASE_URL, { connections: 64 });
const headers = { 'content-type': 'application/json' };

interface Option {
  readonly name: string;
  readonly value: number;
}

let messages = 0;
const commands = new Map<string, (options: readonly Option[]) => string>([
  [
    ROLL,
    (options) => {
      const valueOf = (wanted: string): number =>
        options.find(({ name }) => name === wanted)?.value ?? Number.NaN;
      const sides = valueOf('sides');
      return `${sides * valueOf('count')} of ${sides}`;
    },
  ],
  [SEEN, () => String(messages)],
]);

async function respond(id: string, key: string, content: string): Promise<void> {
  const { body } = await pool.request({
    path: `/api/v10/interactions/${id}/${key}/callback`,
    method: 'POST',
    headers,
    body: JSON.stringify({ type: MESSAGE_CALLBACK, data: { content } }),
  });
  await body.dump();
}

let sequence: number | null = null;
const socket = new WebSocket(`${BOT_GATEWAY_URL}/?v=10&encoding=json`, {
  perMessageDeflate: false,
});
socket.on('message', (data: Buffer) => {
  const { op, s, t, d } = JSON.parse(data.toString());
  if (s) sequence = s;
  if (t === 'INTERACTION_CREATE') {
    const run = commands.get(d.data.name);
    if (run) void respond(d.id, d.token, run(d.data.options));
  } else if (t === 'MESSAGE_CREATE') {
    if (d.id !== '') messages += 1;
  } else if (op === OPS.hello) {
    const beat = (): void => socket.send(JSON.stringify({ op: OPS.heartbeat, d: sequence }));
    setInterval(beat, d.heartbeat_interval);
    const properties = { os: 'linux', browser: 'bench', device: 'bench' };
    const identity = { token, intents: 33_281, properties };
    socket.send(JSON.stringify({ op: OPS.identify, d: identity }));
  }
});
