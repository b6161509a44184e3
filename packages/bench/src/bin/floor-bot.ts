// The leanest bot there is: ws, an undici Pool, JSON.parse and a Map. It reads no response, and has no checks, limits
// or retries.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { SEEN } from '../platform/sample-data.js';

const { BOT_TOKEN: token, BOT_BASE_URL = '', BOT_GATEWAY_URL } = process.env;
/** Folder of the commands: modules with a `run`. */
const folder = process.env['BENCH_COMMANDS'] ?? '';
/** Intents, separated by commas. All if unset. */
const intents = process.env['BENCH_INTENTS']?.split(',');

const pool = new Pool(BOT_BASE_URL, { connections: 64 });
const headers = { authorization: `Bot ${token}`, 'content-type': 'application/json' };

type Run = (...options: number[]) => string;
// As `createBenchProject` writes them.
const commands = new Map<string, Run>(
  await Promise.all(
    readdirSync(folder).map(async (file): Promise<[string, Run]> => {
      const { run } = (await import(pathToFileURL(join(folder, file)).href)) as { run: Run };
      return [file.replace('.js', ''), run];
    }),
  ),
);
let messages = 0;
commands.set(SEEN, () => String(messages));

async function respond(interactionId: string, content: string): Promise<void> {
  const { body } = await pool.request({
    path: `/api/bot/v1/interactions/${interactionId}/response`,
    method: 'POST',
    headers,
    body: JSON.stringify({ content }),
  });
  await body.dump();
}

const socket = new WebSocket(`${BOT_GATEWAY_URL}/gateway/bot`, { perMessageDeflate: false });
socket.on('message', (data: Buffer) => {
  const { op, t, d } = JSON.parse(data.toString());
  if (t === 'APPLICATION_COMMAND') {
    const [, ...options] = d.rawInput.split(' ');
    const run = commands.get(d.name);
    if (run) void respond(d.interactionId, run(...options.map(Number)));
  } else if (t === 'MESSAGE_CREATE') {
    if (d.id !== '') messages += 1;
  } else if (op === 'HELLO') {
    setInterval(() => socket.send('{"op":"HEARTBEAT"}'), d.heartbeatInterval);
    socket.send(JSON.stringify({ op: 'IDENTIFY', d: { token, intents } }));
  }
});
