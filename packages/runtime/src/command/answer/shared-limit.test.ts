import { createRest, type HttpDispatcher } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { createBot } from '../../bot/running-bot.js';
import { createFakeGateway } from '../../../test/fake-gateway.js';
import { CHANNEL, interactionId, SERVER } from '../../../test/ids.js';
import { projectOf } from '../../../test/project-of.js';
import { createRecordedLog } from '../../../test/recorded-log.js';

const LATENCY_MS = 20;
const COMMANDS = 30;

/** A bot that receives 30 commands at once, on a platform that takes 5 calls a second in all and waits 20 s. */
async function runLimited(answerWindowMs: number, random: () => number) {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const gateway = createFakeGateway();
  const state = new Map<string, string>();
  const answered: string[] = [];
  let limited = 0;
  let used = 0;
  let window = 0;
  function answer(path: string): number {
    const nowMs = clock.monotonic() - startMs;
    if (window !== Math.floor(nowMs / 1_000)) [window, used] = [Math.floor(nowMs / 1_000), 0];
    if (used >= 5) {
      limited += 1;
      return 429;
    }
    used += 1;
    const [, id = '', call = ''] = /interactions\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const before = state.get(id);
    if (before === undefined && nowMs > 20_000) return 404;
    if (call === 'response' && before === 'answered') return 409;
    state.set(id, call === 'response' ? 'answered' : 'deferred');
    if (call === 'response') answered.push(id);
    return 200;
  }
  const dispatcher: HttpDispatcher = {
    dispatch({ path }, handler) {
      const controller = { abort: () => {} };
      handler.onRequestStart(controller);
      clock.setTimeout(() => {
        const status = answer(path);
        const headers = { 'retry-after': '1', 'x-ratelimit-limit': '5' };
        handler.onResponseStart(controller, status, status === 429 ? headers : {});
        handler.onResponseEnd(controller);
      }, LATENCY_MS);
    },
  };
  const options = { clock, random, log: createRecordedLog() };
  const rest = createRest({ ...options, token: 't', baseUrl: 'https://chat.test', dispatcher });
  const profile = { ...DEFAULT_PROFILE, answerWindowMs };
  const run = (): string => 'pong';
  const project = await projectOf({ 'commands/x.ts': { default: { description: 'x', run } } });
  const bot = createBot({ ...options, rest, gateway, project, profile });
  await bot.connect();
  for (let count = 0; count < COMMANDS; count += 1) {
    const ids = { interactionId: interactionId(count), serverId: SERVER, channelId: CHANNEL };
    gateway.emit('APPLICATION_COMMAND', { ...ids, name: 'x', rawInput: '/x' }, clock.monotonic());
  }
  await clock.advance(60_000);
  return { limited, answered };
}

describe('30 commands at once, and a limit of 5 calls a second', () => {
  it.each([3_000, 20_000])(
    'are answered once, with one 429 in a window for each that waits (%d)',
    async (windowMs) => {
      for (const chance of [0, 0.5, 0.99]) {
        const { limited, answered } = await runLimited(windowMs, () => chance);
        expect(new Set(answered).size).toBe(COMMANDS);
        expect(answered).toHaveLength(COMMANDS);
        expect(limited).toBeLessThanOrEqual(120);
      }
    },
  );
});
