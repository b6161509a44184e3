import type { SimFaultState } from '@virgule/core/simulator-api';
import { requestAction } from '../src/sim/sim-client.js';
import { systemClock } from '@virgule/core/clock';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SOON, startPlayingDev, type PlayingDev } from './playing-dev.js';

const CLOSED_WITHIN_MS = 2_000;
/** Response to the first DELETE. */
const ANSWERS = {
  '204': undefined,
  '500': { type: 'status', status: 500 },
  '429': { type: 'status', status: 429, retryAfter: 1 },
  never: { type: 'hang' },
};

describe('the ingress of a bot', () => {
  let dev: PlayingDev;
  let version = 1;
  beforeAll(async () => {
    dev = await startPlayingDev();
  });
  afterAll(() => dev[Symbol.asyncDispose]());

  async function setFaults(rules: readonly object[]): Promise<void> {
    const { ok } = await fetch(`${dev.ready['baseUrl'] as string}/_sim/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rules }),
    });
    expect(ok).toBe(true);
  }

  it.each(Object.entries(ANSWERS))(
    'is closed when dev starts a new process, when DELETE answers %s at first',
    async (answer, effect) => {
      const request = 'voice.closeIngress';
      const rule = { name: 'close', on: { request }, do: effect, times: 1 };
      await setFaults(effect ? [rule] : []);
      await dev.play();
      // Requests that a fault answers are not counted.
      const asks = async (): Promise<number> => {
        const { rules } = (await requestAction(
          dev.ready['baseUrl'] as string,
          'faults',
          {},
        )) as SimFaultState;
        return (await dev.requests(request)) + (rules[0]?.hits ?? 0);
      };
      const before = await asks();
      const asked = vi.waitFor(async () => {
        expect(await asks()).toBeGreaterThan(before);
        return systemClock.monotonic();
      }, SOON);
      version += 1;
      await dev.project.write('package.json', `{ "type": "module", "version": "${version}.0.0" }`);
      const { ms: restartMs } = await dev.reported('restart');
      const restartedMs = systemClock.monotonic();
      const afterMs = (await asked) - restartedMs;
      // One that is never answered has arrived, which is all that can be done.
      const left = answer === 'never' ? 1 : 0;
      await expect.poll(async () => (await dev.members()).length, SOON).toBe(left);
      const closedMs = systemClock.monotonic() - restartedMs;
      const row = `close table | reload | ${answer}`;
      process.stdout.write(`${row} | asked: ${(afterMs / 1_000).toFixed(2)} s\n`);
      process.stdout.write(`${row} | closed: ${(closedMs / 1_000).toFixed(2)} s\n`);
      process.stdout.write(`${row} | start: ${(Number(restartMs) / 1_000).toFixed(2)} s\n`);
      expect(afterMs).toBeLessThan(CLOSED_WITHIN_MS);
    },
  );
});
