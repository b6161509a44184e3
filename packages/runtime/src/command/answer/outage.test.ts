import { createRest, type HttpDispatcher } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createBot } from '../../bot/running-bot.js';
import { createFakeGateway } from '../../../test/fake-gateway.js';
import { CHANNEL, interactionId, SERVER } from '../../../test/ids.js';
import { projectOf } from '../../../test/project-of.js';
import { createRecordedLog } from '../../../test/recorded-log.js';

/** Duration of a request, in milliseconds. */
const LATENCY_MS = 5;

/** Answer of the platform; `coded`: a 503 from the platform itself, with a code. */
type Answer = 'reset' | 'coded' | number;

/** A bot with a command that takes some time, on a platform that answers each request as `answer` says. */
async function startBot(workMs: number, answer: (request: string) => Answer) {
  const clock = createFakeClock();
  const gateway = createFakeGateway();
  const dispatcher: HttpDispatcher = {
    dispatch({ method, path }, handler) {
      const controller = { abort: (reason: Error) => handler.onResponseError(controller, reason) };
      handler.onRequestStart(controller);
      clock.setTimeout(() => {
        const answered = answer(`${method} ${path.split('/').at(-1)}`);
        if (answered === 'reset') {
          handler.onResponseError(controller, Object.assign(new Error(), { code: 'ECONNRESET' }));
          return;
        }
        handler.onResponseStart(controller, answered === 'coded' ? 503 : answered, {});
        if (answered === 'coded')
          handler.onResponseData(controller, Buffer.from('{"code":"maintenance"}'));
        handler.onResponseEnd(controller);
      }, LATENCY_MS);
    },
  };
  const options = { clock, log: createRecordedLog(), random: () => 0.5 };
  const rest = createRest({ ...options, token: 't', baseUrl: 'https://chat.test', dispatcher });
  const run = (): Promise<string> | string =>
    workMs === 0 ? 'pong' : clock.sleep(workMs).then(() => 'pong');
  const project = await projectOf({ 'commands/x.ts': { default: { description: 'x', run } } });
  const bot = createBot({ ...options, rest, gateway, project });
  await bot.connect();
  const command = (count: number): void => {
    const ids = { interactionId: interactionId(count), serverId: SERVER, channelId: CHANNEL };
    gateway.emit('APPLICATION_COMMAND', { ...ids, name: 'x', rawInput: '/x' }, clock.monotonic());
  };
  return { bot, clock, command };
}

/** A bot that is sent 10 commands a second for 20 s, while each request fails. */
async function runOutage(outage: Answer) {
  let isAway = true;
  let requests = 0;
  const { bot, clock, command } = await startBot(0, () => {
    requests += 1;
    // Every interaction has expired when the platform is back.
    return isAway ? outage : 404;
  });
  for (let count = 0; count < 200; count += 1) {
    command(count);
    await clock.advance(100);
  }
  isAway = false;
  // The last command is dropped 15 s after its receipt.
  await clock.advance(17_000);
  return { requests, running: bot.running };
}

describe('an outage of 20 s with 10 commands a second', () => {
  it('costs with 503 at most 3 times the requests of one with resets, and ends soon', async () => {
    const resets = await runOutage('reset');
    expect(resets.running).toBe(0);
    // 31 for each command; 28 and 30 when the platform is back.
    expect(resets.requests).toBeLessThan(650);
    for (const outage of [503, 'coded'] as const) {
      const { requests, running } = await runOutage(outage);
      expect(requests).toBeLessThanOrEqual(3 * resets.requests);
      expect(running).toBe(0);
    }
  });
});

describe('a call that was carried out, whose response is lost in an outage of 20 s', () => {
  it.each([
    ['a defer', 'reset', 3_500],
    ['a defer', 503, 3_500],
    ['a defer', 'coded', 3_500],
    ['an answer', 'reset', 0],
    ['an answer', 503, 0],
  ] as const)('is completed after it: %s, %s', async (_call, outage, workMs) => {
    let first: string | undefined;
    let isAway = true;
    const edits: string[] = [];
    const { bot, clock, command } = await startBot(workMs, (request) => {
      first ??= request;
      if (isAway) return outage;
      if (request === 'PATCH response') edits.push(request);
      return request === 'POST response' ? 409 : 200;
    });
    command(0);
    await clock.advance(20_000);
    expect(first).toBe(workMs === 0 ? 'POST response' : 'POST defer');
    isAway = false;
    await clock.advance(10_000);
    expect(edits).not.toEqual([]);
    expect(bot.running).toBe(0);
  });
});
