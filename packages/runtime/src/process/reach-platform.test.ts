import type { CallOptions } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import {
  rateLimited,
  refused,
  timedOut,
  unauthorized,
  unreachable,
} from '../../test/client-failures.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { reachPlatform } from './reach-platform.js';

/** A platform that answers the first calls with these errors, and then well. */
function open(...failures: readonly unknown[]) {
  const clock = createFakeClock();
  const log = createRecordedLog();
  const stop = new AbortController();
  const calls: number[] = [];
  const left = [...failures];
  const users = {
    async me(options?: CallOptions) {
      options?.signal?.throwIfAborted();
      calls.push(clock.monotonic());
      if (left.length > 0) throw left.shift();
      return {};
    },
  };
  const reached = reachPlatform({ users }, stop.signal, { clock, random: () => 1, log });
  reached.catch(() => {});
  return { clock, log, stop, calls, reached };
}

describe('reachPlatform', () => {
  it('keeps trying while the platform is out of reach, less and less often, and logs it', async () => {
    const { clock, log, calls, reached } = open(
      ...Array.from({ length: 7 }, () => unreachable()),
      timedOut(true),
      rateLimited(),
      refused(503),
      refused(403),
      refused(404),
    );
    await clock.advance(10 * 60_000);
    await reached;
    const pauses = calls.slice(1).map((atMs, index) => atMs - (calls[index] ?? 0));
    expect(pauses).toEqual(
      [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30].map((seconds) => seconds * 1_000),
    );
    expect(log.at('warn')[0]).toBe('the platform cannot be reached, trying again in 1 s');
    expect(log.lines).toHaveLength(12);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['a token that is refused', unauthorized()],
    ['a refusal of the platform', refused(403, 'bot_disabled')],
    ['a defect', new TypeError('x')],
  ])('gives up at once for %s', async (_, error) => {
    const { calls, reached } = open(error);
    await expect(reached).rejects.toBe(error);
    expect(calls).toHaveLength(1);
  });

  it('ends with its signal', async () => {
    const { clock, stop, calls, reached } = open(unreachable(), unreachable());
    await clock.advance(500);
    stop.abort(new Error('SIGTERM'));
    await expect(reached).rejects.toThrow('SIGTERM');
    expect([calls.length, clock.pending]).toEqual([1, 0]);
  });
});
