import type { Intent } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { gapSince } from './endings.js';

const loss = { lastArrivalAt: { wallMs: 1_000, monotonicMs: 50_000.2 }, reason: 'gone' };

describe('gapSince', () => {
  it.each([
    ['a clock on the wall that was set back', -3_600_000, 2_500.2, 2_500],
    ['a machine that slept, which a monotonic clock may not count', 600_000, 615, 600_000],
  ])('is the longer time of both clocks: %s', (_why, wallMs, monotonicMs, ms) => {
    const { lastArrivalAt } = loss;
    const now = {
      wallMs: lastArrivalAt.wallMs + wallMs,
      monotonicMs: lastArrivalAt.monotonicMs + monotonicMs,
    };
    expect(gapSince(loss, now, [], false).ms).toBe(ms);
  });

  it('shows the clock on the wall', () => {
    const now = { wallMs: 3_500, monotonicMs: 52_500.4 };
    expect(gapSince(loss, now, ['APPLICATION_COMMANDS'], false)).toEqual({
      from: '1970-01-01T00:00:01.000Z',
      to: '1970-01-01T00:00:03.500Z',
      ms: 2_500,
      reason: 'gone',
      unrecoverable: ['APPLICATION_COMMAND'],
    });
  });

  it('names what is lost for good: all that was asked for, but messages that are read back', () => {
    const lostOf = (intents: readonly Intent[] | undefined, readsBack: boolean) =>
      gapSince(loss, loss.lastArrivalAt, intents, readsBack).unrecoverable;
    expect(lostOf(undefined, false)).toHaveLength(7);
    expect(lostOf(undefined, true)).not.toContain('MESSAGE_CREATE');
    expect(lostOf(undefined, true)).toContain('APPLICATION_COMMAND');
    expect(lostOf(['SERVER_MESSAGES'], true)).toEqual(['MESSAGE_UPDATE', 'MESSAGE_DELETE']);
    expect(lostOf([], false)).toEqual([]);
  });
});
