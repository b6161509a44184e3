import { pino, type Logger } from 'pino';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { PING_ANSWER } from '../platform/sample-data.js';
import { DEFER_AFTER_MS, NO_TOKEN, type StartBot } from './bench-bot.js';

/** Creates a log as fast as pino has one: in pieces of 4 KiB, which a thread writes to standard output. */
export const fastLog = (): Logger =>
  pino({ base: undefined }, pino.destination({ dest: 1, sync: false, minLength: 4_096 }));

/**
 * Returns the baseline: a bot written by hand for maximum speed, without limits, retries or checks.
 *
 * @param log - gets a line for each `/roll`, with the fields of the runtime's. @defaultValue no lines
 */
export const floorBot =
  (log?: Logger): StartBot =>
  ({ port, token = NO_TOKEN, intents, roll, released, onMessage }) => {
    const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 64 });
    const headers = { authorization: `Bot ${token}`, 'content-type': 'application/json' };

    async function post(interactionId: string, what: string, payload?: object): Promise<string> {
      const { body } = await pool.request({
        path: `/api/bot/v1/interactions/${interactionId}/${what}`,
        method: 'POST',
        headers,
        body: payload === undefined ? null : JSON.stringify(payload),
      });
      return body.text();
    }

    const respond = async (interactionId: string, content: string): Promise<unknown> =>
      JSON.parse(await post(interactionId, 'response', { content }));

    function rollOf(rawInput: string): string {
      const [, sides, count] = rawInput.split(' ');
      return roll(Number(sides), Number(count));
    }

    async function answerAndLog(
      interactionId: string,
      rawInput: string,
      log: Logger,
    ): Promise<void> {
      const startMs = performance.now();
      const answer = rollOf(rawInput);
      const rolledMs = performance.now();
      await respond(interactionId, answer);
      const endMs = performance.now();
      log.info(
        {
          command: 'roll',
          interactionId,
          outcome: 'answered',
          result: 'ok',
          ms: tenths(endMs - startMs),
          queueMs: 0,
          handlerMs: tenths(rolledMs - startMs),
          restMs: tenths(endMs - rolledMs),
          calls: 1,
        },
        '/roll answered',
      );
    }

    const commands = new Map([
      [
        'roll',
        ({ interactionId = '', rawInput = '' }: Record<string, string>) =>
          log
            ? answerAndLog(interactionId, rawInput, log)
            : respond(interactionId, rollOf(rawInput)),
      ],
      [
        'hold',
        async ({ interactionId = '', rawInput = '' }: Record<string, string>) => {
          const timer = setTimeout(() => void post(interactionId, 'defer'), DEFER_AFTER_MS);
          await released;
          clearTimeout(timer);
          return respond(interactionId, rollOf(rawInput));
        },
      ],
      [
        'ping',
        ({ interactionId = '' }: Record<string, string>) => respond(interactionId, PING_ANSWER),
      ],
    ]);

    const socket = new WebSocket(`ws://127.0.0.1:${port}/gateway/bot`, {
      perMessageDeflate: false,
    });
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
          socket.send(JSON.stringify({ op: 'IDENTIFY', d: { token, intents } }));
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

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

export const startFloorBot: StartBot = floorBot();
