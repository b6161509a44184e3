import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { NO_TOKEN, type StartBot } from './bench-bot.js';

interface CommandInteraction {
  readonly id: string;
  readonly token: string;
  readonly data: {
    readonly name: string;
    readonly options: readonly { readonly name: string; readonly value: number }[];
  };
}

const MESSAGE_CALLBACK = 4;

/** Starts the baseline for Discord: the same bot by hand, with ws and an undici Pool. */
export const startDiscordFloorBot: StartBot = ({ port, token = NO_TOKEN, roll, onMessage }) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  const headers = { 'content-type': 'application/json' };

  async function respond({ id, token: key }: CommandInteraction, content: string): Promise<string> {
    const { body } = await pool.request({
      path: `/api/v10/interactions/${id}/${key}/callback`,
      method: 'POST',
      headers,
      body: JSON.stringify({ type: MESSAGE_CALLBACK, data: { content } }),
    });
    return body.text();
  }

  const commands = new Map([
    [
      'roll',
      (interaction: CommandInteraction) => {
        const value = (wanted: string): number =>
          interaction.data.options.find(({ name }) => name === wanted)?.value ?? Number.NaN;
        return respond(interaction, roll(value('sides'), value('count')));
      },
    ],
  ]);

  const socket = new WebSocket(`ws://127.0.0.1:${port}/?v=10&encoding=json`, {
    perMessageDeflate: false,
  });
  const close = (): Promise<void> => {
    socket.terminate();
    return pool.close();
  };
  return new Promise((resolve, reject) => {
    let sequence: number | null = null;
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const { op, s, t, d } = JSON.parse(data.toString());
      if (s) sequence = s;
      if (op === 10) {
        const beat = (): void => socket.send(JSON.stringify({ op: 1, d: sequence }));
        setInterval(beat, d.heartbeat_interval).unref();
        const properties = { os: 'linux', browser: 'bench', device: 'bench' };
        socket.send(JSON.stringify({ op: 2, d: { token, intents: 33_281, properties } }));
      } else if (t === 'INTERACTION_CREATE') {
        void commands.get(d.data.name)?.(d);
      } else if (t === 'MESSAGE_CREATE') {
        onMessage(d);
      } else if (t === 'READY') {
        resolve({ close });
      }
    });
  });
};
