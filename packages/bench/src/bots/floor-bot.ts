import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { TOKEN, type BotOptions, type StartBot } from './bench-bot.js';

/** What somebody writes by hand who wants nothing but speed: no limits, no retries, no checks. */
export const startFloorBot: StartBot = ({ port, roll, onMessage }: BotOptions) => {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
  const headers = { authorization: `Bot ${TOKEN}`, 'content-type': 'application/json' };

  async function respond(interactionId: string, content: string): Promise<unknown> {
    const { body } = await pool.request({
      path: `/api/bot/v1/interactions/${interactionId}/response`,
      method: 'POST',
      headers,
      body: JSON.stringify({ content }),
    });
    return JSON.parse(await body.text());
  }

  const commands = new Map([
    [
      'roll',
      ({ interactionId, rawInput }: Record<string, string>) => {
        const [, sides, count] = (rawInput ?? '').split(' ');
        return respond(interactionId ?? '', roll(Number(sides), Number(count)));
      },
    ],
  ]);

  const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway/bot`, { perMessageDeflate: false });
  const close = (): Promise<void> => {
    socket.terminate();
    return pool.close();
  };
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data: Buffer) => {
      const { op, t, d } = JSON.parse(data.toString());
      if (op === 'HELLO') {
        const beat = (): void => socket.send(JSON.stringify({ op: 'HEARTBEAT' }));
        setInterval(beat, d.heartbeatInterval).unref();
        socket.send(JSON.stringify({ op: 'IDENTIFY', d: { token: TOKEN } }));
      } else if (t === 'APPLICATION_COMMAND') {
        void commands.get(d.name)?.(d);
      } else if (t === 'MESSAGE_CREATE') {
        onMessage(d);
      } else if (t === 'READY') {
        resolve({ close });
      }
    });
  });
};
