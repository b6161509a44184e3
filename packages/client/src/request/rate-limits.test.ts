import { describe, expect, it } from 'vitest';
import { openLimiter, type Sent } from '../../test/open-limiter.js';
import type { LimitKey } from './bucket.js';

const SEND: LimitKey = { route: 'messages.send', major: 'a' };
const SEND_B: LimitKey = { route: 'messages.send', major: 'b' };
const SEND_C: LimitKey = { route: 'messages.send', major: 'c' };
const LIST: LimitKey = { route: 'messages.list', major: 'a' };
const TYPING: LimitKey = { route: 'channels.typing', major: 'a' };
const ME: LimitKey = { route: 'users.me', major: '' };

type Opened = ReturnType<typeof openLimiter>;

/** One that was refused and whose pause is over. */
async function openAfterPause(limit?: number): Promise<Opened> {
  const opened = openLimiter();
  opened.refuse(opened.send(SEND), 2, { limit });
  await opened.clock.advance(2_000);
  return opened;
}

/** Sends as many at once as may go. */
function burst({ send, waitMs }: Opened, key = SEND): Sent[] {
  const permits: Sent[] = [];
  while (waitMs(key) === 0 && permits.length < 100) permits.push(send(key));
  return permits;
}

describe('a bucket', () => {
  it('is unlimited as long as no 429 came', () => {
    const { limiter, send, accept, waitMs } = openLimiter();
    const permits = Array.from({ length: 500 }, () => send(SEND));
    expect(waitMs(SEND)).toBe(0);
    for (const permit of permits) accept(permit);
    expect(limiter.snapshot()).toEqual([]);
  });

  it.each([
    ['as long as stated, with the jitter', 3, 120, 3_120],
    ['at most an hour', 2_147_483_648, 0, 3_600_000],
    ['5 s when nothing is stated', undefined, 0, 5_000],
  ])('is paused %s', (_name, seconds, jitterMs, expectedMs) => {
    const { send, refuse, waitMs } = openLimiter();
    refuse(send(SEND), seconds, { jitterMs });
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

  it('keeps the longest of the pauses that began together', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    const permits = [send(SEND), send(SEND), send(SEND)] as const;
    refuse(permits[0], 4);
    refuse(permits[1], 9);
    refuse(permits[2], 2);
    expect(waitMs(SEND)).toBe(9_000);
    expect(limiter.snapshot()).toMatchObject([{ phase: 'paused', limited: 3 }]);
  });

  it('sends one probe after a pause, then one more at once with each success', async () => {
    const opened = await openAfterPause();
    const sizes: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const permits = burst(opened);
      sizes.push(permits.length);
      for (const permit of permits) opened.accept(permit);
    }
    expect(sizes).toEqual([1, 2, 4, 8, 16]);
    for (const permit of burst(opened)) opened.accept(permit);
    expect(opened.limiter.snapshot()).toEqual([]);
  });

  it.each(['lost', 'unsent'] as const)('sends another probe when the first is %s', async (kind) => {
    const { send, end, waitMs } = await openAfterPause();
    const probe = send(SEND);
    expect(waitMs(SEND)).toBe('busy');
    end(probe, { kind });
    expect(waitMs(SEND)).toBe(0);
  });

  it('does not take the answer to a request from before the pause for that of the probe', async () => {
    const { clock, limiter, send, accept, refuse, waitMs } = openLimiter();
    const early = send(SEND);
    refuse(send(SEND), 1);
    await clock.advance(1_000);
    expect(waitMs(SEND)).toBe(0);
    const probe = send(SEND);
    accept(early);
    expect(waitMs(SEND)).toBe('busy');
    expect(limiter.snapshot()).toMatchObject([{ phase: 'flowing', maxInFlight: 1 }]);
    accept(probe);
    expect(limiter.snapshot()).toMatchObject([{ phase: 'flowing', maxInFlight: 2 }]);
  });

  it('is not held up by a request from before the pause that never ends', async () => {
    const { clock, send, refuse, waitMs } = openLimiter();
    send(SEND);
    refuse(send(SEND), 1);
    await clock.advance(1_000);
    expect(waitMs(SEND)).toBe(0);
  });
});

describe('a limit that a 429 states', () => {
  it('is how many go before the one that is expected to be refused', async () => {
    const opened = await openAfterPause(5);
    const { accept, refuse, waitMs, limiter } = opened;
    const sizes: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const permits = burst(opened);
      sizes.push(permits.length);
      for (const permit of permits) accept(permit);
    }
    const last = burst(opened);
    sizes.push(last.length);
    expect(sizes).toEqual([1, 2, 3]);
    expect(waitMs(SEND)).toBe('busy');
    for (const permit of last.slice(0, 2)) accept(permit);
    expect(waitMs(SEND)).toBe('busy');
    refuse(last.at(-1) as Sent, 3, { limit: 5 });
    expect(waitMs(SEND)).toBe(3_000);
    expect(limiter.snapshot()).toMatchObject([{ phase: 'paused', limit: 5, limited: 2 }]);
  });

  it('counts what was lost as used, and not what never left', async () => {
    const opened = await openAfterPause(2);
    const { accept, end, waitMs } = opened;
    accept(burst(opened)[0] as Sent);
    const [lost, unsent] = burst(opened) as [Sent, Sent];
    expect(waitMs(SEND)).toBe('busy');
    end(lost, { kind: 'lost' });
    expect(waitMs(SEND)).toBe('busy');
    end(unsent, { kind: 'unsent' });
    expect(burst(opened)).toHaveLength(1);
  });

  it('is dropped when more than it went through: what is not true any more must not slow anything', async () => {
    const opened = await openAfterPause(1);
    const { accept, limiter } = opened;
    for (let round = 0; round < 7; round += 1) for (const each of burst(opened)) accept(each);
    expect(limiter.snapshot()).toEqual([]);
  });
});

describe('a shared limit', () => {
  it('pauses everything when three routes are paused with the same limit', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    const permits = [send(SEND), send(LIST), send(TYPING)] as const;
    for (const permit of permits) refuse(permit, 4, { limit: 5 });
    expect(waitMs(ME)).toBe(4_000);
    expect(limiter.snapshot().at(-1)).toMatchObject({ route: '', major: '' });
  });

  it('never includes requests to another server', () => {
    const { send, refuse, waitMs } = openLimiter();
    const upload: LimitKey = {
      route: 'attachments.upload',
      major: 'https://a.example',
      lane: 'upload',
    };
    const permits = [send(SEND), send(LIST), send(TYPING), send(upload)] as const;
    for (const permit of permits.slice(1)) refuse(permit, 4, { limit: 5 });
    expect(waitMs(ME)).toBe(0);
    refuse(permits[0], 4, { limit: 5 });
    expect(waitMs(ME)).toBe(4_000);
    expect(waitMs({ ...upload, major: 'https://b.example' })).toBe(0);
  });

  it('is not seen in channels of one route', () => {
    const { send, refuse, waitMs } = openLimiter();
    for (const key of [SEND, SEND_B, SEND_C]) refuse(send(key), 4, { limit: 5 });
    expect([waitMs({ ...SEND, major: 'd' }), waitMs(ME)]).toEqual([0, 0]);
  });

  const apart: readonly (readonly [string, number | undefined, number | undefined])[] = [
    ['with other limits', 5, 6],
    ['without a stated limit', undefined, undefined],
  ];

  it.each(apart)('is not seen in routes that are paused %s', (_name, first, second) => {
    const { send, refuse, waitMs } = openLimiter();
    refuse(send(SEND), 4, { limit: first });
    refuse(send(LIST), 4, { limit: second });
    refuse(send(TYPING), 4, { limit: second });
    expect(waitMs(ME)).toBe(0);
  });

  it('is not seen when the first pause was over', async () => {
    const { clock, send, refuse, waitMs } = openLimiter();
    refuse(send(SEND), 4, { limit: 5 });
    await clock.advance(4_000);
    refuse(send(LIST), 4, { limit: 5 });
    refuse(send(TYPING), 4, { limit: 5 });
    expect(waitMs(ME)).toBe(0);
  });

  it('is not seen when three routes had a limit each, and reached it at the same time', () => {
    const { send, accept, refuse, waitMs } = openLimiter();
    for (const key of [SEND, LIST, TYPING]) {
      const permits = Array.from({ length: 8 }, () => send(key));
      for (const permit of permits.slice(0, 5)) accept(permit);
      for (const permit of permits.slice(5)) refuse(permit, 4, { limit: 5 });
    }
    expect(waitMs(ME)).toBe(0);
  });

  it('is not seen while requests are in flight that may still have been accepted', () => {
    const { send, refuse, waitMs } = openLimiter();
    const late = Array.from({ length: 6 }, () => send(SEND));
    for (const key of [SEND, LIST, TYPING]) refuse(send(key), 4, { limit: 5 });
    expect(waitMs(ME)).toBe(0);
    for (const permit of late) refuse(permit, 4, { limit: 5 });
    expect(waitMs(ME)).toBe(4_000);
  });

  /** Three routes whose shared pause is over. */
  async function openShared(): Promise<Opened> {
    const opened = openLimiter();
    const permits = [SEND, LIST, TYPING].map((key) => opened.send(key));
    for (const permit of permits) opened.refuse(permit, 1, { limit: 5 });
    await opened.clock.advance(1_000);
    return opened;
  }

  it('lets one of all routes go first when the pause is over', async () => {
    const { send, accept, waitMs } = await openShared();
    const probe = send(SEND);
    expect([waitMs(LIST), waitMs(ME)]).toEqual(['busy', 'busy']);
    accept(probe);
    expect([waitMs(LIST), waitMs(ME)]).toEqual([0, 0]);
  });

  it('pauses all of them again at the next 429', async () => {
    const { send, accept, refuse, waitMs } = await openShared();
    accept(send(SEND));
    refuse(send(ME), 7, { limit: 5 });
    expect([waitMs(SEND), waitMs(LIST), waitMs(ME)]).toEqual([7_000, 7_000, 7_000]);
  });

  it('does not pause the others when one route meets another limit', async () => {
    const { send, accept, refuse, waitMs } = await openShared();
    accept(send(SEND));
    refuse(send(ME), 7, { limit: 3 });
    expect([waitMs(LIST), waitMs(ME)]).toEqual([0, 7_000]);
  });

  it('is over when more than it went through', async () => {
    const opened = await openShared();
    const keys = Array.from({ length: 60 }, (_, index) => ({ ...SEND, major: `other ${index}` }));
    for (const key of keys) {
      expect(opened.waitMs(key)).toBe(0);
      opened.accept(opened.send(key));
    }
    const routes = opened.limiter.snapshot().map(({ route }) => route);
    expect(routes).toEqual(['messages.send', 'messages.list', 'channels.typing']);
  });

  it('releases what was sent before it was found', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    const keys = [SEND, LIST, TYPING];
    const early = keys.map((key) => send(key));
    for (const key of keys) refuse(send(key), 1, { limit: 5 });
    expect(limiter.snapshot().at(-1)).toMatchObject({ route: '' });
    await clock.advance(1_000);
    for (const permit of early) accept(permit);
    expect(limiter.snapshot().map(({ inFlight }) => inFlight)).toEqual([0, 0, 0, 0]);
  });
});

describe('a pause of an earlier run or another client', () => {
  it.each([
    ['a bucket', 'messages.send', 'a', [3_000, 0, 0]],
    ['everything', '', '', [3_000, 3_000, 3_000]],
  ] as const)('of %s is waited out, and one goes first', async (_of, route, major, waits) => {
    const pause = { route, major, pausedForMs: 3_000 };
    const { clock, limiter, send, waitMs } = openLimiter();
    limiter.pause(pause);
    expect([waitMs(SEND), waitMs(SEND_B), waitMs(LIST)]).toEqual(waits);
    expect(limiter.pauses()).toEqual([pause]);
    expect(limiter.snapshot()).toMatchObject([{ limited: 0 }]);
    await clock.advance(3_000);
    send(SEND);
    expect(waitMs(SEND)).toBe('busy');
    expect(limiter.pauses()).toEqual([]);
  });
});

describe('onPause', () => {
  it('reports what a 429 pauses, and nothing that no other client can use', () => {
    const { limiter, send, refuse } = openLimiter();
    const pauses: unknown[] = [];
    limiter.onPause((pause) => pauses.push(pause));
    refuse(send(SEND), 3);
    refuse(send({ route: 'interactions.defer', major: 'x', lane: 'interaction' }), 3);
    refuse(send({ route: 'upload', major: '', lane: 'upload' }), 3);
    const own = { route: 'messages.send', major: 'a', pausedForMs: 3_000 };
    expect(pauses).toEqual([own]);
    limiter.pause({ route: 'messages.list', major: 'a', pausedForMs: 1_000 });
    expect(pauses).toHaveLength(1);
  });

  it('reports that everything is paused', () => {
    const { limiter, send, refuse } = openLimiter();
    const routes: string[] = [];
    limiter.onPause(({ route }) => routes.push(route));
    for (const key of [SEND, LIST, TYPING]) refuse(send(key), 1, { limit: 5 });
    expect(routes).toEqual(['messages.send', 'messages.list', 'channels.typing', '']);
  });

  it('is not shortened by another client', () => {
    const { limiter, send, refuse, waitMs } = openLimiter();
    refuse(send(SEND), 3);
    limiter.pause({ route: 'messages.send', major: 'a', pausedForMs: 1_000 });
    expect(waitMs(SEND)).toBe(3_000);
    limiter.pause({ route: 'messages.send', major: 'a', pausedForMs: 5_000 });
    expect(waitMs(SEND)).toBe(5_000);
  });
});

describe('a 429 of one interaction', () => {
  it('holds back that one, and no other', () => {
    const { send, refuse, waitMs } = openLimiter();
    const callOf = (major: string): LimitKey => {
      return { route: 'interactions.respond', major, lane: 'interaction' };
    };
    for (const id of ['x', 'y']) refuse(send(callOf(id)), 600);
    expect(['x', 'y', 'z'].map((id) => waitMs(callOf(id)))).toEqual([600_000, 600_000, 0]);
  });
});

describe('what is remembered', () => {
  it('keeps pauses when thousands of others come and go', () => {
    const { limiter, send, accept, refuse, waitMs } = openLimiter();
    const apart = { route: 'interactions.defer', lane: 'interaction' } as const;
    refuse(send(SEND), 60);
    refuse(send({ ...apart, major: 'x' }), 60);
    for (let index = 0; index < 5_000; index += 1) {
      accept(send({ ...apart, major: String(index) }));
      accept(send({ route: 'messages.list', major: String(index) }));
    }
    expect([waitMs(SEND), waitMs({ ...apart, major: 'x' })]).toEqual([60_000, 60_000]);
    expect(limiter.snapshot()).toHaveLength(2);
  });

  it('keeps all pauses, however many there are', () => {
    const { send, refuse, waitMs } = openLimiter();
    const all = Array.from({ length: 5_000 }, (_, index): readonly LimitKey[] => [
      { route: 'messages.send', major: String(index) },
      { route: 'interactions.defer', major: String(index), lane: 'interaction' },
    ]).flat();
    for (const key of all) refuse(send(key), 60);
    expect(all.filter((key) => waitMs(key) !== 60_000)).toEqual([]);
  });

  it('forgets all but 3,000 buckets when their pauses are over', async () => {
    const { clock, limiter, send, accept, refuse } = openLimiter();
    for (let index = 0; index < 8_000; index += 1)
      refuse(send({ route: 'messages.list', major: String(index) }), 1);
    await clock.advance(1_000);
    for (let index = 8_000; index < 20_000; index += 1)
      accept(send({ route: 'messages.list', major: String(index) }));
    expect(limiter.snapshot().length).toBeLessThanOrEqual(3_000);
  });

  it('waits for the longest of several 429s, also without a bucket when they were sent', () => {
    const { send, refuse, waitMs } = openLimiter();
    const upload: LimitKey = { route: 'attachments.upload', major: 'a', lane: 'upload' };
    const permits = [send(upload), send(upload), send(upload)] as const;
    for (const [index, seconds] of [1, 40, 5].entries()) refuse(permits[index] as Sent, seconds);
    expect(waitMs(upload)).toBe(40_000);
  });

  it('pauses a bucket that was forgotten while its request was in flight, and opened again', () => {
    const { send, accept, refuse, waitMs } = openLimiter();
    const early = send(SEND);
    for (let index = 0; index < 5_000; index += 1)
      accept(send({ route: 'messages.list', major: String(index) }));
    accept(send(SEND));
    refuse(early, 7);
    expect(waitMs(SEND)).toBe(7_000);
  });

  it('is plain data', () => {
    const { limiter, send, refuse } = openLimiter();
    refuse(send(SEND), 2, { limit: 3 });
    const snapshot = limiter.snapshot();
    expect(structuredClone(snapshot)).toEqual(snapshot);
  });
});
