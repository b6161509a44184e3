import { createRest, type HttpDispatcher } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createBot } from '../../bot/create-bot.js';
import { createFakeGateway } from '../../../test/fake-gateway.js';
import { CHANNEL, interactionId, SERVER } from '../../../test/ids.js';
import { projectOf } from '../../../test/project-of.js';
import { createRecordedLog } from '../../../test/recorded-log.js';

/** How long a request is in flight, in milliseconds. */
const LATENCY_MS = 5;

type Outage = 'reset' | number;

/** A bot that is sent 10 commands a second for 20 s, while each request fails. */
async function runOutage(outage: Outage) {
  const clock = createFakeClock();
  const log = createRecordedLog();
  const gateway = createFakeGateway();
  let isAway = true;
  let requests = 0;
  const dispatcher: HttpDispatcher = {
    dispatch(_request, handler) {
      requests += 1;
      const controller = { abort: (reason: Error) => handler.onResponseError(controller, reason) };
      handler.onRequestStart(controller);
      clock.setTimeout(() => {
        if (isAway && outage === 'reset') {
          handler.onResponseError(controller, Object.assign(new Error(), { code: 'ECONNRESET' }));
          return;
        }
        // Every interaction has expired when the platform is back.
        handler.onResponseStart(controller, isAway ? Number(outage) : 404, {});
        handler.onResponseEnd(controller);
      }, LATENCY_MS);
    },
  };
  const options = { clock, log, random: () => 0.5 };
  const rest = createRest({
    ...options,
    token: 'token',
    baseUrl: 'https://chat.test',
    dispatcher,
  });
  const project = await projectOf({
    'commands/x.ts': { default: { description: 'x', run: () => 'pong' } },
  });
  const bot = createBot({ ...options, rest, gateway, project });
  await bot.connect();
  for (let count = 0; count < 200; count += 1) {
    const command = { interactionId: interactionId(count), serverId: SERVER, channelId: CHANNEL };
    gateway.emit(
      'APPLICATION_COMMAND',
      { ...command, name: 'x', rawInput: '/x' },
      clock.monotonic(),
    );
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
    const unavailable = await runOutage(503);
    expect(unavailable.requests).toBeLessThanOrEqual(3 * resets.requests);
    expect([resets.running, unavailable.running]).toEqual([0, 0]);
  });
});
