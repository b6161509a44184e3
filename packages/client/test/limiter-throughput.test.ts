import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitJitterMs } from '../src/request/stated-limits.js';
import type { LimitKey } from '../src/request/bucket.js';
import { driveLimiter, type Sent } from './open-limiter.js';

/** Limit of the modeled platform. The client knows no more than a 429 states. */
interface Platform {
  readonly limit: number;
  readonly windowMs: number;
  /** `true` if windows begin at fixed times, `false` if each begins with a call. */
  readonly aligned: boolean;
  /** `true` if a 429 states the limit next to its `Retry-After`. */
  readonly states: boolean;
}

interface Burst {
  /** From the end of the burst before. */
  readonly afterMs: number;
  readonly calls: number;
}

interface Program {
  readonly platform: Platform;
  readonly bursts: readonly Burst[];
  /** Calls in flight at most: messages of a channel go one after the other, reads go together. */
  readonly together: number;
  /** Time to the platform, and the same back. */
  readonly latencyMs: number;
  readonly seed: number;
}

/** Pacing of the calls of one bucket. */
interface Pacing {
  /** Milliseconds until one more may go; `busy`: not before another one is answered. */
  waitMs(nowMs: number): number | 'busy';
  send(): void;
  accepted(): void;
  refused(nowMs: number, seconds: number): void;
}

const KEY: LimitKey = { route: 'messages.list', major: 'a' };

/** Does no more than wait as long as a 429 states: the measure for the throughput. */
function obeysRetryAfter(): Pacing {
  let pausedUntilMs = 0;
  return {
    waitMs: (nowMs) => Math.max(0, pausedUntilMs - nowMs),
    send() {},
    accepted() {},
    refused(nowMs, seconds) {
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + seconds * 1_000);
    },
  };
}

/** The limiter of this client. `monotonic` is the clock of the simulation. */
function ours({ states, limit }: Platform, monotonic: () => number, random: () => number): Pacing {
  const { waitMs, send, accept, refuse } = driveLimiter({ monotonic });
  const permits: Sent[] = [];
  // All calls of one bucket take equally long, so they are answered in the order they were sent.
  const answered = (): Sent => {
    const permit = permits.shift();
    if (!permit) throw new Error('An answer without a request.');
    return permit;
  };
  return {
    waitMs: () => waitMs(KEY),
    send: () => void permits.push(send(KEY)),
    accepted: () => accept(answered()),
    refused: (_nowMs, seconds) => {
      const jitterMs = limitJitterMs(seconds * 1_000, random);
      refuse(answered(), seconds, { limit: states ? limit : undefined, jitterMs });
    },
  };
}

interface Outcome {
  /** From the first call of each burst to its last answer, summed up. */
  readonly busyMs: number;
  /** The most 429s in one window that followed a 429 and was used to its end. */
  readonly refusedMax: number;
}

/** Runs the bursts, each as fast as the pacing allows. */
function run(
  { platform, bursts, together, latencyMs }: Program,
  startMs: number,
  open: (now: () => number) => Pacing,
): Outcome {
  const { limit, windowMs, aligned } = platform;
  let nowMs = startMs;
  const pacing = open(() => nowMs);
  const events: { readonly atMs: number; readonly run: () => void }[] = [];
  const at = (atMs: number, each: () => void): void => {
    const index = events.findIndex((event) => event.atMs > atMs);
    events.splice(index < 0 ? events.length : index, 0, { atMs, run: each });
  };
  let window = { startMs: 0, endsMs: 0, used: 0, refused: 0, follows: false };
  let receivedMs = Number.NEGATIVE_INFINITY;
  let refusedMax = 0;
  let left = 0;
  let inFlight = 0;
  let busyMs = 0;

  function enter(sentMs: number): boolean {
    if (nowMs >= window.endsMs) {
      const endsMs = aligned ? (Math.floor(nowMs / windowMs) + 1) * windowMs : nowMs + windowMs;
      window = {
        startMs: nowMs,
        endsMs,
        used: 0,
        refused: 0,
        follows: receivedMs > window.startMs,
      };
    }
    // Sent before the client knew of the limit.
    if (sentMs <= receivedMs) window.follows = false;
    if (window.used < limit) {
      window.used += 1;
      return true;
    }
    window.refused += 1;
    if (window.follows) refusedMax = Math.max(refusedMax, window.refused);
    return false;
  }

  function send(): void {
    pacing.send();
    inFlight += 1;
    left -= 1;
    const sentMs = nowMs;
    at(nowMs + latencyMs, () => {
      const isTaken = enter(sentMs);
      const seconds = Math.ceil((window.endsMs - nowMs) / 1_000);
      at(nowMs + latencyMs, () => {
        inFlight -= 1;
        if (isTaken) return pacing.accepted();
        left += 1;
        receivedMs = nowMs;
        pacing.refused(nowMs, seconds);
      });
    });
  }

  for (const { afterMs, calls } of bursts) {
    nowMs += afterMs;
    const beganMs = nowMs;
    left = calls;
    while (left > 0 || inFlight > 0) {
      let waitMs = pacing.waitMs(nowMs);
      while (left > 0 && inFlight < together && waitMs === 0) {
        send();
        waitMs = pacing.waitMs(nowMs);
      }
      const wakesMs =
        left > 0 && typeof waitMs === 'number' && waitMs > 0 ? nowMs + waitMs : Infinity;
      const [next] = events;
      if (!next && wakesMs === Infinity) throw new Error('Calls wait, and nothing will wake them.');
      if (next && next.atMs <= wakesMs) {
        events.shift();
        nowMs = next.atMs;
        next.run();
      } else {
        nowMs = wakesMs;
      }
    }
    busyMs += nowMs - beganMs;
  }
  return { busyMs, refusedMax };
}

/** The same numbers from 0 up to 1 for the same seed. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Enough bursts that the phase at which each one meets its window evens out. */
const program: fc.Arbitrary<Program> = fc
  .record({
    platform: fc.record({
      limit: fc.integer({ min: 1, max: 50 }),
      windowMs: fc.integer({ min: 1_000, max: 60_000 }),
      aligned: fc.boolean(),
      states: fc.boolean(),
    }),
    bursts: fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 120_000 }),
        share: fc.integer({ min: 5, max: 50 }),
      }),
      { minLength: 10, maxLength: 14 },
    ),
    together: fc.constantFrom(1, 4, 32),
    latencyMs: fc.integer({ min: 1, max: 10 }),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
  })
  .map(({ bursts, ...rest }) => ({
    ...rest,
    // From half a limit's worth to five.
    bursts: bursts.map(({ afterMs, share }) => ({
      afterMs,
      calls: Math.ceil((rest.platform.limit * share) / 10),
    })),
  }));

/** Phases of the windows that a program is run with: with six, the phase decided about one program in ten thousand. */
const PHASES = 12;

/** A program in which a call per window waits for it, so that the phase weighs most. */
const ONE_PER_WINDOW: Program = {
  platform: { limit: 1, windowMs: 3_320, aligned: true, states: false },
  together: 1,
  latencyMs: 4,
  seed: 1_083_356_702,
  bursts: [
    { afterMs: 34_897, calls: 1 },
    { afterMs: 80_830, calls: 3 },
    { afterMs: 32_854, calls: 1 },
    { afterMs: 119_197, calls: 2 },
    { afterMs: 34_327, calls: 2 },
    { afterMs: 16_075, calls: 3 },
    { afterMs: 73_785, calls: 1 },
    { afterMs: 44_532, calls: 2 },
    { afterMs: 9_091, calls: 2 },
    { afterMs: 0, calls: 1 },
  ],
};

/** Runs a program with different phases of its windows, which must not decide. */
function compare(each: Program): { readonly measure: Outcome; readonly client: Outcome } {
  const random = createChance(each.seed);
  const starts = Array.from(
    { length: PHASES },
    (_, phase) => (phase * each.platform.windowMs) / PHASES,
  );
  const sum = (open: (now: () => number) => Pacing): Outcome => {
    const outcomes = starts.map((startMs) => run(each, startMs, open));
    return {
      busyMs: outcomes.reduce((all, { busyMs }) => all + busyMs, 0),
      refusedMax: Math.max(...outcomes.map(({ refusedMax }) => refusedMax)),
    };
  };
  return {
    measure: sum(obeysRetryAfter),
    client: sum((now) => ours(each.platform, now, random)),
  };
}

describe('the limiter, compared with a client that only obeys Retry-After', () => {
  it('takes bursts that meet a limit 40 s apart as fast: no window is made of the time between', () => {
    const { measure, client } = compare({
      platform: { limit: 5, windowMs: 10_000, aligned: false, states: true },
      bursts: [0, 30_000, 60_000, 60_000].map((afterMs) => ({ afterMs, calls: 7 })),
      together: 32,
      latencyMs: 10,
      seed: 1,
    });
    expect(client.busyMs).toBeLessThanOrEqual(measure.busyMs / 0.8);
  });

  it('has at least 0.8 of its throughput under bursts, and meets one 429 in a window of full use where the 429 states the limit', () => {
    let windows = 0;
    fc.assert(
      fc.property(program, (each) => {
        const { measure, client } = compare(each);
        expect(client.busyMs).toBeLessThanOrEqual(measure.busyMs / 0.8);
        if (!each.platform.states) return;
        expect(client.refusedMax).toBeLessThanOrEqual(1);
        windows += client.refusedMax;
      }),
      { numRuns: 100, examples: [[ONE_PER_WINDOW]] },
    );
    expect(windows).toBeGreaterThan(25);
  });
});
