import type { FakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { headersOf, openLimiter, type Rates } from '../../test/open-limiter.js';
import type { Limiter, LimitKey, Permit } from './limiter.js';

const SEND: LimitKey = { route: 'messages.send', major: 'a' };
const SEND_B: LimitKey = { route: 'messages.send', major: 'b' };
const LIST: LimitKey = { route: 'messages.list', major: 'a' };
const TYPING: LimitKey = { route: 'channels.typing', major: 'a' };

/** One that was refused and whose pause is over. */
async function openAfterPause(rates: Rates = {}) {
  const opened = openLimiter();
  opened.refuse(opened.send(SEND), 2, rates);
  await opened.clock.advance(2_000);
  return opened;
}

describe('a bucket', () => {
  it('is unlimited as long as nothing suggests a limit', () => {
    const { limiter, send, accept, waitMs } = openLimiter();
    const permits = Array.from({ length: 500 }, () => send(SEND));
    expect(waitMs(SEND)).toBe(0);
    for (const permit of permits) accept(permit);
    expect(limiter.snapshot().buckets).toEqual([]);
  });

  it.each([
    ['as long as stated, with the jitter', 3, 120, 3_120],
    ['at most an hour', 2_147_483_648, 0, 3_600_000],
    ['5 s when nothing is stated', undefined, 0, 5_000],
  ])('is paused %s', (_name, seconds, jitterMs, expectedMs) => {
    const { send, refuse, waitMs } = openLimiter();
    refuse(send(SEND), seconds, {}, jitterMs);
    expect(waitMs(SEND)).toBe(expectedMs);
    expect([waitMs(SEND_B), waitMs(LIST)]).toEqual([0, 0]);
  });

  it('doubles a wait that is not stated, up to a minute, until something is accepted', async () => {
    const { clock, send, accept, refuse, waitMs } = openLimiter();
    const waits: (number | 'busy')[] = [];
    for (let time = 0; time < 6; time += 1) {
      refuse(send(SEND), undefined);
      waits.push(waitMs(SEND));
      await clock.advance(60_000);
    }
    expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(waitMs(SEND)).toBe(0);
    accept(send(SEND));
    refuse(send(SEND), undefined);
    expect(waitMs(SEND)).toBe(5_000);
  });

  it('keeps the longer of two pauses that began together, and counts them as one', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    const permits = [send(SEND), send(SEND), send(SEND)] as const;
    refuse(permits[0], 4);
    refuse(permits[1], 9);
    refuse(permits[2], 2);
    expect(waitMs(SEND)).toBe(9_000);
    expect(limiter.snapshot().buckets[0]).toMatchObject({ phase: 'paused', limited: 3 });
  });

  it('sends one pioneer after a pause, then one more at once with each success', async () => {
    const { send, accept, waitMs } = await openAfterPause();
    const atOnce: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const permits: Permit[] = [];
      while (waitMs(SEND) === 0) permits.push(send(SEND));
      expect(waitMs(SEND)).toBe('busy');
      atOnce.push(permits.length);
      for (const permit of permits.slice(0, 1)) accept(permit);
      for (const permit of permits.slice(1)) accept(permit);
    }
    // Half of the one that was on its way is one: above that it grows by one in a round.
    expect(atOnce).toEqual([1, 2, 2, 3]);
  });

  it('grows quickly up to half of what was on its way, and slowly from there', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    const burst = Array.from({ length: 20 }, () => send(SEND));
    for (const permit of burst) refuse(permit, 1);
    await clock.advance(1_000);
    const sizes: (number | undefined)[] = [];
    for (let time = 0; time < 12; time += 1) {
      limiter.ask(SEND);
      accept(send(SEND));
      sizes.push(limiter.snapshot().buckets[0]?.atOnce);
    }
    expect(sizes).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]);
  });

  it.each(['lost', 'unsent'] as const)(
    'sends another pioneer when the first is %s',
    async (kind) => {
      const { limiter, send, waitMs } = await openAfterPause();
      const pioneer = send(SEND);
      expect(waitMs(SEND)).toBe('busy');
      limiter.giveBack(pioneer, { kind });
      expect(waitMs(SEND)).toBe(0);
    },
  );

  it('does not take the answer to a request from before the pause for that of the pioneer', async () => {
    const { clock, limiter, send, accept, refuse, waitMs } = openLimiter();
    const early = send(SEND);
    refuse(send(SEND), 1);
    await clock.advance(1_000);
    expect(waitMs(SEND)).toBe(0);
    const pioneer = send(SEND);
    accept(early);
    expect(waitMs(SEND)).toBe('busy');
    expect(limiter.snapshot().buckets).toMatchObject([{ phase: 'pioneer', atOnce: 1 }]);
    accept(pioneer);
    expect(limiter.snapshot().buckets).toMatchObject([{ phase: 'flowing', atOnce: 2 }]);
  });

  it('is not held up by a request from before the pause that never ends', async () => {
    const { clock, send, refuse, waitMs } = openLimiter();
    send(SEND);
    refuse(send(SEND), 1);
    await clock.advance(1_000);
    expect(waitMs(SEND)).toBe(0);
  });
});

describe('a limit that headers state', () => {
  it('is not overrun: the next has to wait for those on their way', () => {
    const { send, accept, waitMs } = openLimiter();
    accept(send(SEND), { limit: 3, remaining: 2 });
    const permits = [send(SEND), send(SEND)] as const;
    expect(waitMs(SEND)).toBe('busy');
    accept(permits[0], { limit: 3, remaining: 1 });
    expect(waitMs(SEND)).toBe('busy');
    accept(permits[1], { limit: 3, remaining: 0 });
    // Nobody knows when the window ends: one asks.
    expect(waitMs(SEND)).toBe(0);
    send(SEND);
    expect(waitMs(SEND)).toBe('busy');
  });

  it('is not raised by an answer that was overtaken', () => {
    const { limiter, send, accept } = openLimiter();
    const slow = send(SEND);
    accept(send(SEND), { limit: 5, remaining: 1 });
    accept(slow, { limit: 5, remaining: 4 });
    expect(limiter.snapshot().buckets[0]?.remaining).toBe(1);
    accept(send(SEND), { limit: 5, remaining: 4 });
    expect(limiter.snapshot().buckets[0]).toMatchObject({
      remaining: 4,
      limit: 5,
      limitFrom: 'header',
      limited: 0,
      lastLimitedAgoMs: undefined,
    });
  });

  it('is counted down by what is lost, which may have been counted', () => {
    const { limiter, send, accept } = openLimiter();
    accept(send(SEND), { limit: 5, remaining: 4 });
    limiter.giveBack(send(SEND), { kind: 'lost' });
    limiter.giveBack(send(SEND), { kind: 'unsent' });
    accept(send(SEND));
    expect(limiter.snapshot().buckets[0]?.remaining).toBe(2);
  });
});

/** Sends as much as may go, one by one, to a platform that takes four in each 10 s. */
async function work(
  opened: ReturnType<typeof openLimiter>,
  forMs: number,
  rates: (remaining: number) => Rates,
) {
  const { clock, send, accept, refuse, waitMs } = opened;
  // The second time the client is idle long enough for its last window to be over.
  await clock.advance(60_000);
  const endMs = clock.monotonic() + forMs;
  let endsMs = 0;
  let left = 0;
  let refused = 0;
  let accepted = 0;
  while (clock.monotonic() < endMs) {
    const wait = waitMs(SEND);
    if (wait === 'busy') throw new Error('Nothing is on its way.');
    if (wait > 0) {
      await clock.advance(wait);
      continue;
    }
    if (clock.monotonic() >= endsMs) {
      endsMs = clock.monotonic() + 10_000;
      left = 4;
    }
    const permit = send(SEND);
    await clock.advance(20);
    if (left > 0) {
      left -= 1;
      accepted += 1;
      accept(permit);
    } else {
      refused += 1;
      refuse(permit, Math.ceil((endsMs - clock.monotonic()) / 1_000), rates(0));
    }
  }
  return { accepted, refused };
}

describe('a window', () => {
  it.each([
    [
      'two or three 429s, with its limit from a header',
      (remaining: number) => ({ limit: 4, remaining }),
      3,
      0,
      4,
      130,
    ],
    // And tested every 20 s.
    [
      'four 429s and a test, with its limit from what was accepted',
      (): Rates => ({}),
      5,
      400_000 / 20_000,
      3,
      100,
    ],
  ] as const)('is learned from %s', async (_name, rates, most, more, limit, least) => {
    const opened = openLimiter();
    const learning = await work(opened, 60_000, rates);
    expect(learning.refused).toBeLessThanOrEqual(most);
    const [bucket] = opened.limiter.snapshot().buckets;
    expect(bucket?.limit).toBe(limit);
    expect(bucket?.windowMs).toBeGreaterThanOrEqual(10_000);
    expect(bucket?.windowMs).toBeLessThanOrEqual(12_500);

    const later = await work(opened, 400_000, rates);
    expect(later.refused).toBeLessThanOrEqual(more);
    expect(later.accepted).toBeGreaterThanOrEqual(least);
  });

  it('does not outlive by more than a minute the 429s that had another cause', async () => {
    const { clock, limiter, send, accept, refuse, waitMs } = openLimiter();
    const sendOne = (): void => {
      expect(waitMs(SEND)).toBe(0);
      accept(send(SEND));
    };
    for (let burst = 0; burst < 4; burst += 1) {
      for (let sent = 0; sent < 20; sent += 1) sendOne();
      refuse(send(SEND), 1);
      await clock.advance(4_000);
    }
    limiter.ask(SEND);
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: 18, limitFrom: 'observed' }]);
    await clock.advance(60_000);
    for (let sent = 0; sent < 200; sent += 1) sendOne();
    expect(limiter.snapshot().buckets).toMatchObject([{ limit: undefined, windowMs: undefined }]);
  });
});

describe('a merge', () => {
  const five: Rates = { limit: 5, remaining: 0 };

  it('takes a route for one bucket when two of its channels are paused with the same limit', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    const permits = [send(SEND), send(SEND_B)] as const;
    refuse(permits[0], 4, five);
    refuse(permits[1], 3, five);
    expect(waitMs({ route: 'messages.send', major: 'c' })).toBe(4_000);
    expect(waitMs(LIST)).toBe(0);
    expect(limiter.snapshot()).toMatchObject({
      buckets: [{ scope: 'route', route: 'messages.send', major: '', limit: 5, phase: 'paused' }],
      merges: [{ into: 'route', route: 'messages.send', limit: 5, members: ['b', 'a'], agoMs: 0 }],
    });
  });

  it('takes everything for one bucket when three routes are paused with the same limit', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    const permits = [send(SEND), send(LIST), send(TYPING)] as const;
    for (const permit of permits) refuse(permit, 4, five);
    expect(waitMs({ route: 'users.me', major: '' })).toBe(4_000);
    expect(limiter.snapshot().merges).toMatchObject([{ into: 'global', limit: 5 }]);
    expect(limiter.snapshot().buckets).toHaveLength(1);
  });

  const apart: readonly (readonly [string, Rates, Rates])[] = [
    ['with other limits', five, { limit: 6 }],
    ['without a stated limit', {}, {}],
  ];

  it.each(apart)('does not happen %s', (_name, first, second) => {
    const { limiter, send, refuse } = openLimiter();
    refuse(send(SEND), 4, first);
    refuse(send(SEND_B), 4, second);
    expect(limiter.snapshot().merges).toEqual([]);
  });

  it('does not happen when the first pause was over', async () => {
    const { clock, limiter, send, refuse } = openLimiter();
    refuse(send(SEND), 4, five);
    await clock.advance(4_000);
    refuse(send(SEND_B), 4, five);
    expect(limiter.snapshot().merges).toEqual([]);
  });

  it('does not happen when two channels had a limit each, and reached it at the same time', () => {
    const { limiter, send, accept, refuse, waitMs } = openLimiter();
    for (const key of [SEND, SEND_B]) {
      const permits = Array.from({ length: 8 }, () => send(key));
      for (const permit of permits.slice(0, 5)) accept(permit);
      for (const permit of permits.slice(5)) refuse(permit, 4, five);
    }
    expect(limiter.snapshot().merges).toEqual([]);
    expect(waitMs({ route: 'messages.send', major: 'c' })).toBe(0);
  });

  it('does not happen while requests are on their way that may still have been taken', () => {
    const { limiter, send, refuse } = openLimiter();
    const late = Array.from({ length: 6 }, () => send(SEND));
    refuse(send(SEND), 4, five);
    refuse(send(SEND_B), 4, five);
    expect(limiter.snapshot().merges).toEqual([]);
    for (const permit of late) refuse(permit, 4, five);
    expect(limiter.snapshot().merges).toMatchObject([{ into: 'route', limit: 5 }]);
  });

  it('does not happen when the other one got through during the pause', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    refuse(send(SEND), 4, five);
    await clock.advance(100);
    accept(send(SEND_B));
    refuse(send(SEND_B), 3, five);
    expect(limiter.snapshot().merges).toEqual([]);
  });

  async function merged(clock: FakeClock, limiter: Limiter): Promise<void> {
    const permits = [limiter.take(SEND), limiter.take(SEND_B)];
    for (const permit of permits) {
      limiter.giveBack(permit, {
        kind: 'limited',
        headers: headersOf(five),
        retryAfterMs: 1_000,
        stated: true,
        jitterMs: 0,
      });
    }
    await clock.advance(1_000);
  }

  it('makes all of the route go one after the other, and learn together', async () => {
    const { clock, limiter, send, accept, waitMs } = openLimiter();
    await merged(clock, limiter);
    const pioneer = send(SEND);
    expect(waitMs(SEND_B)).toBe('busy');
    accept(pioneer);
    expect(waitMs(SEND_B)).toBe(0);
  });

  it('is given up after ten quiet minutes, and then each begins carefully', async () => {
    const { clock, limiter, send, waitMs } = openLimiter();
    await merged(clock, limiter);
    await clock.advance(598_000);
    limiter.ask(SEND);
    expect(limiter.snapshot().merges).toHaveLength(1);
    await clock.advance(1_000);
    expect(waitMs(SEND)).toBe(0);
    expect(limiter.snapshot().merges).toEqual([]);
    send(SEND);
    expect(waitMs(SEND)).toBe('busy');
    expect(waitMs(SEND_B)).toBe(0);
    expect(waitMs(LIST)).toBe(0);
  });

  it('gives back what was sent before it', async () => {
    const { clock, limiter, send, accept } = openLimiter();
    const early = [send(SEND), send(SEND_B)];
    await merged(clock, limiter);
    for (const permit of early) accept(permit);
    expect(limiter.snapshot().buckets).toMatchObject([{ scope: 'route', inFlight: 0 }]);
  });
});

describe('readings that fall as one', () => {
  type Opened = ReturnType<typeof openLimiter>;
  const ten = (remaining: number): Rates => ({ limit: 10, remaining });

  /** One after the other, in turn, each answered with one less. */
  function read({ send, accept }: Opened, keys: readonly LimitKey[], from: number): void {
    for (const [index, key] of keys.entries()) accept(send(key), ten(from - index));
  }

  function openShared() {
    const opened = openLimiter();
    read(opened, [SEND, TYPING, SEND, TYPING, SEND, TYPING], 9);
    return opened;
  }

  it('make two routes one bucket, and leave all others out of it', () => {
    const opened = openShared();
    const { limiter, send, accept, waitMs } = opened;
    const route = 'channels.typing + messages.send';
    expect(limiter.snapshot()).toMatchObject({
      buckets: [
        { scope: 'shared', route, major: 'a', limit: 10, limitFrom: 'header', remaining: 4 },
      ],
      merges: [
        {
          into: 'shared',
          route,
          major: 'a',
          limit: 10,
          members: expect.arrayContaining(['messages.send a', 'channels.typing a']),
        },
      ],
    });
    const permits = [send(SEND), send(TYPING), send(SEND), send(TYPING)] as const;
    expect([waitMs(SEND), waitMs(TYPING)]).toEqual(['busy', 'busy']);
    expect([waitMs(SEND_B), waitMs(LIST)]).toEqual([0, 0]);
    for (const [index, permit] of permits.entries()) accept(permit, ten(3 - index));
    expect(limiter.snapshot().buckets).toMatchObject([{ remaining: 0, inFlight: 0 }]);
  });

  it('are no evidence before they agreed twice for each', () => {
    const opened = openLimiter();
    read(opened, [SEND, TYPING, SEND, TYPING, SEND], 9);
    expect(opened.limiter.snapshot().merges).toEqual([]);
  });

  it.each([
    ['a 429', (opened: Opened) => opened.refuse(opened.send(SEND), 1)],
    ['an answer that says nothing', (opened: Opened) => opened.accept(opened.send(SEND))],
    [
      'a request that was lost',
      ({ limiter, send }: Opened) => void limiter.giveBack(send(SEND), { kind: 'lost' }),
    ],
  ])('are no evidence with %s in between', async (_name, between) => {
    const opened = openLimiter();
    read(opened, [SEND, TYPING, SEND, TYPING], 9);
    between(opened);
    await opened.clock.advance(1_000);
    read(opened, [SEND, TYPING], 5);
    expect(opened.limiter.snapshot().merges).toEqual([]);
  });

  it('take a third into the bucket that two have become', () => {
    const opened = openShared();
    read(opened, [LIST, SEND, LIST, TYPING, LIST, SEND], 9);
    const { buckets, merges } = opened.limiter.snapshot();
    expect(merges.map(({ members }) => members.length)).toEqual([3]);
    expect(buckets).toMatchObject([
      { scope: 'shared', route: 'channels.typing + messages.list + messages.send' },
    ]);
  });

  it('are paused together by a 429', async () => {
    const { clock, send, refuse, accept, waitMs } = openShared();
    refuse(send(TYPING), 3, ten(0));
    expect([waitMs(SEND), waitMs(TYPING), waitMs(LIST)]).toEqual([3_000, 3_000, 0]);
    await clock.advance(3_000);
    const pioneer = send(SEND);
    expect(waitMs(TYPING)).toBe('busy');
    accept(pioneer, ten(9));
    expect(waitMs(TYPING)).toBe(0);
  });

  it('are followed no longer for interactions, whose ids serve for a few requests', () => {
    const opened = openLimiter();
    const defer = { route: 'interactions.defer', major: 'x', isBrief: true };
    const respond = { route: 'interactions.respond', major: 'x', isBrief: true };
    read(opened, [defer, respond, defer, respond, defer, respond], 9);
    expect(opened.limiter.snapshot().merges).toEqual([]);
  });

  it('are forgotten ten minutes later, unless there was a 429; then each goes on by itself', async () => {
    const { clock, limiter, send, waitMs } = openShared();
    await clock.advance(599_000);
    limiter.ask(SEND);
    expect(limiter.snapshot().merges).toHaveLength(1);
    await clock.advance(1_000);
    limiter.ask(SEND);
    expect(limiter.snapshot()).toMatchObject({
      buckets: [
        { scope: 'bucket', limit: 10 },
        { scope: 'bucket', limit: 10 },
      ],
      merges: [],
    });
    send(SEND);
    expect([waitMs(SEND), waitMs(TYPING)]).toEqual(['busy', 0]);
  });

  it('end in the bucket of everything when that is found', () => {
    const { limiter, send, refuse, waitMs } = openShared();
    const five: Rates = { limit: 5, remaining: 0 };
    refuse(send(SEND), 4, five);
    for (const route of ['servers.get', 'users.me', 'voice.state']) {
      refuse(send({ route, major: '' }), 4, five);
    }
    expect(limiter.snapshot().merges).toMatchObject([{ into: 'global' }]);
    expect(limiter.snapshot().buckets).toHaveLength(1);
    expect(waitMs(TYPING)).toBe(4_000);
  });
});

describe('X-RateLimit-Reset', () => {
  it('is used once its unit is sure: the end of the window is known without a 429', async () => {
    const { clock, limiter, send, accept, refuse, waitMs } = openLimiter();
    for (const seconds of [5, 6, 7]) {
      refuse(send(SEND), seconds, { limit: 2, remaining: 0, reset: seconds });
      await clock.advance(seconds * 1_000);
      limiter.ask(SEND);
      accept(send(SEND), { limit: 2, remaining: 1 });
      accept(send(SEND), { limit: 2, remaining: 0 });
    }
    expect(limiter.snapshot().reset).toEqual({
      unit: 'delta seconds',
      agreements: 3,
      dropped: false,
    });
    accept(send(LIST), { limit: 9, remaining: 0, reset: 20 });
    expect(waitMs(LIST)).toBe(21_000);
    await clock.advance(21_000);
    expect(waitMs(LIST)).toBe(0);
  });

  it('is not used before', () => {
    const { send, accept, waitMs } = openLimiter();
    accept(send(LIST), { limit: 9, remaining: 0, reset: 20 });
    expect(waitMs(LIST)).toBe(0);
  });

  it('is read by the clock of the server', () => {
    const { clock, limiter, send, refuse } = openLimiter();
    const serverMs = clock.now() + 3_600_000;
    const reset = serverMs / 1_000 + 5;
    const date = new Date(serverMs).toUTCString();
    refuse(send(SEND), 5, { limit: 2, reset, date });
    expect(limiter.snapshot().reset.unit).toBe('epoch seconds');
  });
});

describe('what is remembered', () => {
  it('keeps pauses when thousands of others come and go', () => {
    const { limiter, send, accept, refuse, waitMs } = openLimiter();
    refuse(send(SEND), 60);
    for (let index = 0; index < 5_000; index += 1) {
      accept(send({ route: 'interactions.defer', major: String(index) }));
    }
    expect(waitMs(SEND)).toBe(60_000);
    expect(limiter.snapshot().buckets).toHaveLength(1);
  });

  it('never grows past a thousand limits', () => {
    const { limiter, send, accept } = openLimiter();
    for (let index = 0; index < 3_000; index += 1) {
      accept(send({ route: 'messages.list', major: String(index) }), { limit: 5, remaining: 4 });
    }
    expect(limiter.snapshot().buckets.length).toBeLessThanOrEqual(1_000);
    expect(limiter.snapshot().buckets.at(-1)?.major).toBe('2999');
  });

  it('is plain data', () => {
    const { limiter, send, refuse } = openLimiter();
    refuse(send(SEND), 2, { limit: 3 });
    const snapshot = limiter.snapshot();
    expect(structuredClone(snapshot)).toEqual(snapshot);
  });
});
