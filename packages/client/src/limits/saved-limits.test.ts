import { describe, expect, it } from 'vitest';
import { openLimiter, type Rates } from '../../test/open-limiter.js';
import type { LimitKey } from './limiter.js';
import { readSavedLimits } from './saved-limits.js';

const SEND: LimitKey = { route: 'messages.send', major: 'a' };
const SEND_B: LimitKey = { route: 'messages.send', major: 'b' };
const TYPING: LimitKey = { route: 'channels.typing', major: 'a' };

type Opened = ReturnType<typeof openLimiter>;

/** Meets a limit so often that it and its window are known. */
async function learn(opened: Opened, key: LimitKey, limit: number, rates: Rates = {}) {
  const { clock, limiter, send, accept, refuse } = opened;
  for (let window = 0; window < 4; window += 1) {
    for (let sent = 0; sent < limit; sent += 1) accept(send(key));
    refuse(send(key), 4, rates);
    await clock.advance(4_000);
    limiter.ask(key);
  }
}

/** What another run makes of what `opened` knows, so long after. */
function restart({ clock, limiter }: Opened, afterMs = 0): Opened {
  const text = JSON.stringify(limiter.save());
  return openLimiter(readSavedLimits(JSON.parse(text), clock.now() + afterMs));
}

describe('a restart', () => {
  it('keeps to what was learned, as to something that was observed', async () => {
    const first = openLimiter();
    await learn(first, SEND, 10);
    await learn(first, TYPING, 5, { limit: 5 });
    const { limiter, send, accept, waitMs } = restart(first);
    expect(limiter.snapshot().buckets).toMatchObject([
      { ...SEND, limit: 9, limitFrom: 'observed', evidence: 'observed >= 10/5s in an earlier run' },
      { ...TYPING, limit: 4, limitFrom: 'observed', phase: 'pioneer', limited: 0 },
    ]);
    let used = 0;
    for (; waitMs(SEND) === 0; used += 1) accept(send(SEND));
    expect(used).toBe(9);
  });

  it('sends one at a time for one window: nobody knows what the last run used of it', async () => {
    const first = openLimiter();
    await learn(first, SEND, 10);
    const { clock, send, accept, waitMs } = restart(first);
    const { windowMs = 0 } = first.limiter.snapshot().buckets[0] ?? {};
    for (let sent = 0; sent < 4; sent += 1) {
      const permit = send(SEND);
      expect(waitMs(SEND)).toBe('busy');
      accept(permit);
    }
    await clock.advance(windowMs);
    expect(waitMs(SEND)).toBe(0);
    send(SEND);
    expect(waitMs(SEND)).toBe(0);
  });

  it('drops in the first test what is not true any more', async () => {
    const first = openLimiter();
    await learn(first, SEND, 10);
    const { clock, limiter, send, accept, waitMs } = restart(first);
    await clock.advance(20_000);
    for (let sent = 0; sent < 100; sent += 1) {
      expect(waitMs(SEND)).toBe(0);
      accept(send(SEND));
    }
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: undefined, evidence: undefined }]);
    expect(limiter.save().buckets).toEqual([]);
  });

  it('believes a header at once', async () => {
    const first = openLimiter();
    await learn(first, SEND, 10);
    const { limiter, send, accept } = restart(first);
    accept(send(SEND), { limit: 30, remaining: 29 });
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: 30, limitFrom: 'header' }]);
  });

  it.each([
    [0, 30_000],
    [12_000, 18_000],
    [31_000, 0],
  ])('waits out a pause: after %i ms another %i ms', (afterMs, expectedMs) => {
    const first = openLimiter();
    first.refuse(first.send(SEND), 30);
    expect(restart(first, afterMs).waitMs(SEND)).toBe(expectedMs);
  });

  it('keeps merges, until they have been quiet for ten minutes', async () => {
    const five: Rates = { limit: 5, remaining: 0 };
    const first = openLimiter();
    for (const key of [SEND, SEND_B]) first.refuse(first.send(key), 4, five);
    const ten = (remaining: number): Rates => ({ limit: 10, remaining });
    const list = { route: 'messages.list', major: 'a' };
    for (let index = 0; index < 6; index += 1) {
      first.accept(first.send(index % 2 === 0 ? TYPING : list), ten(9 - index));
    }
    first.refuse(first.send(list), 4, ten(0));
    const { clock, limiter, waitMs } = restart(first);
    expect(limiter.snapshot().merges).toMatchObject([
      { into: 'route', route: 'messages.send', limit: 5, members: ['b', 'a'] },
      { into: 'shared', route: 'channels.typing + messages.list', major: 'a', limit: 10 },
    ]);
    expect(waitMs({ route: 'messages.send', major: 'c' })).toBe(4_000);
    expect([waitMs(TYPING), waitMs(list), waitMs({ ...TYPING, major: 'b' })]).toEqual([
      4_000, 4_000, 0,
    ]);
    await clock.advance(600_000);
    limiter.ask(SEND);
    expect(limiter.snapshot().merges).toEqual([]);
  });

  it('takes no two channels for one whose windows an earlier run had used', async () => {
    const five: Rates = { limit: 5, remaining: 0 };
    const first = openLimiter();
    const second = restart(first, 10_000);
    for (const key of [SEND, SEND_B]) second.refuse(second.send(key), 4, five);
    expect(second.limiter.snapshot().merges).toEqual([]);

    const third = restart(first, 10_000);
    await third.clock.advance(50_000);
    for (const key of [SEND, SEND_B]) third.refuse(third.send(key), 4, five);
    expect(third.limiter.snapshot().merges).toHaveLength(1);
  });
});

describe('a merge after a restart', () => {
  it('keeps to the pause of a channel that was no evidence for it', async () => {
    const { clock, limiter, send, refuse, waitMs } = openLimiter({ agoMs: 0, buckets: [] });
    const [a, b, c] = ['a', 'b', 'c'].map((major) => ({ route: 'channels.typing', major }));
    if (!a || !b || !c) throw new Error('There are three.');
    // The first pause of each shows nothing: nobody knows how much the earlier run had sent.
    for (const key of [a, b]) refuse(send(key), 1, { limit: 3 });
    await clock.advance(1_000);
    refuse(send(c), 20, { limit: 3 });
    for (const key of [a, b]) refuse(send(key), 2, { limit: 3 });
    expect(limiter.snapshot().merges).toMatchObject([{ into: 'route', members: ['b', 'a'] }]);
    expect(waitMs(c)).toBe(20_000);
  });
});

describe('what is saved', () => {
  it('is nothing while nothing is known, and nothing of interactions', async () => {
    const opened = openLimiter();
    const brief: LimitKey = { route: 'interactions.edit', major: 'x', isBrief: true };
    opened.accept(opened.send(SEND), { limit: 5, remaining: 4 });
    opened.refuse(opened.send(brief), 60);
    expect(opened.limiter.save().buckets).toEqual([]);
  });

  it('is small, however much is known: the last are kept', () => {
    const opened = openLimiter();
    for (let index = 0; index < 900; index += 1) {
      opened.refuse(opened.send({ route: 'messages.list', major: `${index}` }), 60, {
        limit: index + 1,
      });
    }
    const saved = opened.limiter.save();
    expect(saved.buckets).toHaveLength(200);
    expect(saved.buckets.at(-1)?.major).toBe('899');
    expect(JSON.stringify(saved).length).toBeLessThan(50_000);
  });
});

describe('readSavedLimits', () => {
  const nowMs = 1_800_000_000_000;
  const bucket = {
    scope: 'bucket',
    route: 'a',
    major: 'b',
    limit: 5,
    windowMs: 1_000,
    pausedForMs: 0,
  };
  const read = (changed: object) =>
    readSavedLimits({ savedAtMs: nowMs, buckets: [{ ...bucket, ...changed }] }, nowMs)?.buckets;

  it('gives back what is sound', () => {
    expect(read({ surplus: 1 })).toEqual([bucket]);
    const merge = { limit: 5, members: ['a', 'b'] };
    expect(read({ scope: 'route', merge })).toEqual([{ ...bucket, scope: 'route', merge }]);
  });

  it.each([
    null,
    7,
    [],
    {},
    { buckets: [bucket] },
    { savedAtMs: nowMs, buckets: {} },
    { savedAtMs: 'today', buckets: [bucket] },
    { savedAtMs: nowMs + 1, buckets: [bucket] },
    { savedAtMs: nowMs - 8 * 24 * 3_600_000, buckets: [bucket] },
  ])('takes nothing from %j', (state) => {
    expect(readSavedLimits(state, nowMs)).toBeUndefined();
  });

  it.each([
    { scope: 'planet' },
    { route: 7 },
    { major: 'x'.repeat(501) },
    { limit: 0 },
    { limit: 1.5 },
    { limit: 1e9 },
    { limit: undefined },
    { windowMs: 0 },
    { windowMs: 1e9 },
    { windowMs: '5' },
    { pausedForMs: -1 },
    { pausedForMs: 1e9 },
    { pausedForMs: null },
    { scope: 'route' },
    { scope: 'global', merge: { limit: 'x', members: [] } },
    { scope: 'shared', merge: { limit: 5, members: 'a b' } },
    { merge: { limit: 5, members: [] } },
  ])('leaves out a bucket with %j', (changed) => {
    expect(read(changed)).toEqual([]);
  });

  it('leaves out what is no bucket, and all above 200', () => {
    const buckets = [null, 7, 'x', [], ...Array.from({ length: 5_000 }, () => bucket)];
    expect(readSavedLimits({ savedAtMs: nowMs, buckets }, nowMs)?.buckets).toHaveLength(196);
  });
});
