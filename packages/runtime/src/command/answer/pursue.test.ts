import { clientErrors } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import {
  gone,
  outcomeUnknown,
  rateLimited,
  refused,
  timedOut,
  unauthorized,
  unreachable,
} from '../../../test/client-failures.js';
import { pursue, type PursuitOptions } from './pursue.js';

const HOUR_MS = 3_600_000;

/** Pursues a call that ends in turn with each of these, and from then on with the last one. */
function start(outcomes: readonly unknown[], options: Partial<PursuitOptions> = {}) {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const abort = new AbortController();
  const triedAtMs: number[] = [];
  const waits: [code: string, waitMs: number][] = [];
  const result = pursue(
    async () => {
      const outcome = outcomes[Math.min(triedAtMs.length, outcomes.length - 1)];
      triedAtMs.push(clock.monotonic() - startMs);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    () => ({
      clock,
      random: () => 0,
      untilMs: startMs + HOUR_MS,
      signal: abort.signal,
      onWait: ({ code }, waitMs) => void waits.push([code, waitMs]),
      ...options,
    }),
  );
  result.catch(() => {});
  return { clock, abort, result, triedAtMs, waits };
}

const harmless = clientErrors.E_OUTCOME_UNKNOWN({
  endpoint: 'an edit',
  route: 'PATCH',
  attempts: 1,
  elapsedMs: 1,
  phase: 'headers',
  repeatIsHarmless: true,
});

describe('pursue', () => {
  it('returns what the call returns, and needs no options', async () => {
    const asked = (): never => {
      throw new Error('asked');
    };
    expect(await pursue(async () => 'done', asked)).toBe('done');
  });

  it('calls again after the time that the platform asks for, as often as it asks', async () => {
    const test = start([rateLimited(), rateLimited(), 'done']);
    await test.clock.advance(120_000);
    expect([await test.result, test.triedAtMs]).toEqual(['done', [0, 60_000, 120_000]]);
  });

  it('never calls again and again without a pause', async () => {
    const impatient = rateLimited();
    Object.assign(impatient.details, { retryAfterMs: 0 });
    const test = start([impatient, 'done']);
    await test.clock.advance(250);
    expect([await test.result, test.triedAtMs]).toEqual(['done', [0, 250]]);
  });

  it.each([
    ['could not be sent', unreachable()],
    ['was answered 503 by something in front of the platform', refused(503)],
    ['was not sent in time', timedOut(false)],
    ['may have arrived, and does no harm twice', timedOut(true)],
    ['has an unknown outcome, and does no harm twice', harmless],
  ])('waits up to 2 s between the tries of a call that %s', async (_, error) => {
    const test = start([error], { random: () => 1 });
    await test.clock.advance(10_000);
    expect(test.triedAtMs).toEqual([0, 250, 750, 1_750, 3_750, 5_750, 7_750, 9_750]);
    expect(test.waits[0]).toEqual([error.code, 250]);
  });

  it('waits up to 60 s between the tries of a call that the platform itself answered 503', async () => {
    const test = start([refused(503, 'maintenance')], { random: () => 1 });
    await test.clock.advance(151_000);
    expect(test.triedAtMs).toEqual([0, 750, 3_000, 9_750, 30_000, 90_000, 150_000]);
  });

  it.each([
    [10_000, 10_000],
    [3_600_000, 60_000],
  ])('obeys a Retry-After of %d ms after a 503, for a minute at most', async (askedMs, waitMs) => {
    const error = refused(503);
    Object.assign(error.details, { retryAfterMs: askedMs });
    const test = start([error, 'done'], { random: () => 1 });
    await test.clock.advance(waitMs);
    expect(test.triedAtMs).toEqual([0, waitMs]);
  });

  it('leaves half of a pause to chance', async () => {
    const test = start([unreachable()], { random: () => 0 });
    await test.clock.advance(4_000);
    expect(test.triedAtMs).toEqual([0, 125, 375, 875, 1_875, 2_875, 3_875]);
  });

  it.each([
    ['was refused', refused(403)],
    ['was refused because it is gone', gone()],
    ['may have happened, and would be seen twice', outcomeUnknown()],
    ['has no valid token', unauthorized()],
    ['failed in another way', new Error('broken')],
  ])('passes on the error of a call that %s, at once', async (_, error) => {
    const test = start([error, 'done']);
    await expect(test.result).rejects.toBe(error);
    expect(test.triedAtMs).toEqual([0]);
  });

  it('waits half of the time that is left at most, and ends shortly before the window does', async () => {
    const clock = createFakeClock();
    const test = start([unreachable()], { clock, untilMs: clock.monotonic() + 4_000 });
    await clock.advance(HOUR_MS);
    await expect(test.result).rejects.toThrow('cannot be reached');
    expect(test.waits.map(([, waitMs]) => waitMs)).toEqual([
      125, 250, 500, 1_000, 1_000, 562.5, 281.25, 140.625, 70.3125,
    ]);
    expect(clock.pending).toBe(0);
  });

  it('ends with a rate limit that lasts longer than the window', async () => {
    const test = start([]);
    const late = start([rateLimited()], { untilMs: test.clock.monotonic() + 59_999 });
    await expect(late.result).rejects.toMatchObject({ code: 'E_RATE_LIMITED' });
  });

  it('ends with the last error when it is stopped, whether it waits or is about to', async () => {
    const waiting = start([rateLimited(), 'done']);
    await waiting.clock.advance(10);
    waiting.abort.abort();
    await expect(waiting.result).rejects.toMatchObject({ code: 'E_RATE_LIMITED' });
    expect([waiting.triedAtMs.length, waiting.clock.pending]).toEqual([1, 0]);
    const before = start([rateLimited(), 'done'], { signal: AbortSignal.abort() });
    await expect(before.result).rejects.toMatchObject({ code: 'E_RATE_LIMITED' });
    expect(before.waits).toEqual([]);
  });
});
