import { silentLog } from '@virgule/core/log';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { createRest, type HttpDispatcher, type Rest } from '@virgule/client/rest';
import { temporaryFolder } from '../temporary-folder.js';

/** Number of generated programs. */
const PROGRAMS = runs(1_000);

/** The buckets of the modeled platform, which the client does not know. */
type Sharing = 'route and channel' | 'two routes' | 'route' | 'everything';

interface Platform {
  readonly sharing: Sharing;
  readonly limit: number;
  readonly windowMs: number;
  /** `true` if windows begin at fixed times, `false` if each begins with a request. */
  readonly aligned: boolean;
  /** Frequency of a 429 that states its limit next to its Retry-After. */
  readonly states: 'always' | 'sometimes' | 'never';
}

interface Call {
  readonly atMs: number;
  readonly route: 'send' | 'typing' | 'list' | 'delete';
  readonly channel: number;
  readonly priority: 'awaited' | 'background';
  /** Time to the platform and back. */
  readonly latencyMs: readonly [number, number];
  readonly fate: 'arrives' | 'is lost on the way there' | 'is lost on the way back';
  readonly abortAfterMs: number | undefined;
}

interface Program {
  readonly model: Platform;
  readonly calls: readonly Call[];
  /** Time at which the client is closed, and another continues with its saved state. */
  readonly restartAtMs: number | undefined;
  readonly seed: number;
}

interface Arrival {
  /** Route and channel: what the client pauses by itself. */
  readonly narrow: string;
  readonly sentAtMs: number;
  /** Time at which the client received a refusal, and the wait from then on. */
  refusal: { readonly lastFrameAtMs: number; readonly waitMs: number } | undefined;
}

const channelId = (channel: number): string =>
  `5e9b3c17-a264-4d80-b91e-${`${channel}`.padStart(12, '0')}`;
const MESSAGE = 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3';
const PAGE = JSON.stringify({ messages: [], hasMore: false, oldestId: null });

const platform: fc.Arbitrary<Platform> = fc.record({
  sharing: fc.constantFrom<Sharing>('route and channel', 'two routes', 'route', 'everything'),
  limit: fc.integer({ min: 1, max: 8 }),
  windowMs: fc.integer({ min: 700, max: 9_000 }),
  aligned: fc.boolean(),
  states: fc.oneof(
    { weight: 2, arbitrary: fc.constant('always' as const) },
    { weight: 1, arbitrary: fc.constantFrom('sometimes' as const, 'never' as const) },
  ),
});

const call: fc.Arbitrary<Call> = fc.record({
  atMs: fc.integer({ min: 0, max: 20_000 }),
  route: fc.constantFrom('send', 'typing', 'list', 'delete'),
  channel: fc.integer({ min: 0, max: 2 }),
  priority: fc.constantFrom('awaited', 'background'),
  latencyMs: fc.tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 })),
  fate: fc.oneof(
    { weight: 12, arbitrary: fc.constant('arrives' as const) },
    { weight: 1, arbitrary: fc.constant('is lost on the way there' as const) },
    { weight: 1, arbitrary: fc.constant('is lost on the way back' as const) },
  ),
  abortAfterMs: fc.option(fc.integer({ min: 0, max: 8_000 }), { freq: 6, nil: undefined }),
});

const program: fc.Arbitrary<Program> = fc.record({
  model: platform,
  calls: fc.array(call, { minLength: 1, maxLength: 120, size: 'max' }),
  restartAtMs: fc.option(fc.integer({ min: 2_000, max: 19_000 }), { freq: 2, nil: undefined }),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
});

/** The same numbers from 0 up to 1 for the same seed. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function bucketOf({ sharing }: Platform, route: string, channel: string): string {
  if (sharing === 'everything') return 'everything';
  if (sharing === 'route') return route;
  const isOneOfTwo = route === 'messages.send' || route === 'channels.typing';
  if (sharing === 'two routes' && isOneOfTwo) return `both ${channel}`;
  return `${route} ${channel}`;
}

/** Runs a program of calls against the platform, to its end. */
async function run({ model, calls, restartAtMs, seed }: Program, stateFile: string) {
  const random = createChance(seed);
  rmSync(stateFile, { force: true });
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const arrivals: Arrival[] = [];
  const windows = new Map<string, { endsMs: number; count: number }>();
  let sent = 0;

  /** Returns the route and the channel of a request. */
  function read(method: string, path: string): { route: string; channel: string } {
    const [, , , , , channel = ''] = path.split('/');
    const route = path.includes('/typing')
      ? 'channels.typing'
      : method === 'GET'
        ? 'messages.list'
        : method === 'DELETE'
          ? 'messages.delete'
          : 'messages.send';
    return { route, channel: channel.split('?')[0] ?? '' };
  }

  function judge(bucket: string, { narrow, sentAtMs }: Pick<Arrival, 'narrow' | 'sentAtMs'>) {
    const nowMs = clock.monotonic() - startMs;
    const last = windows.get(bucket);
    const aligned = Math.floor(nowMs / model.windowMs);
    const window =
      last && nowMs < last.endsMs
        ? last
        : {
            endsMs: model.aligned ? (aligned + 1) * model.windowMs : nowMs + model.windowMs,
            count: 0,
          };
    windows.set(bucket, window);
    const isRefused = window.count >= model.limit;
    if (!isRefused) window.count += 1;
    const arrival: Arrival = {
      narrow,
      sentAtMs,
      refusal: undefined,
    };
    arrivals.push(arrival);
    const seconds = Math.ceil((window.endsMs - nowMs) / 1_000);
    const states =
      model.states === 'sometimes' ? arrivals.length % 2 === 0 : model.states === 'always';
    const headers: Record<string, string> = isRefused
      ? {
          'retry-after': String(seconds),
          ...(states && { 'x-ratelimit-limit': String(model.limit) }),
        }
      : {};
    return { arrival, isRefused, headers, waitMs: seconds * 1_000 };
  }

  const dispatcher: HttpDispatcher = {
    dispatch(request, handler) {
      const { latencyMs, fate } = calls[sent % calls.length] ?? {
        latencyMs: [1, 1],
        fate: 'arrives',
      };
      sent += 1;
      const { route, channel } = read(request.method, request.path);
      const sending = { narrow: `${route} ${channel}`, sentAtMs: clock.monotonic() };
      let givenUp = false;
      const controller = { abort: () => (givenUp = true) };
      handler.onRequestStart(controller);
      const lose = (): void => handler.onResponseError(controller, new Error('connection reset'));
      clock.setTimeout(() => {
        if (fate === 'is lost on the way there') return lose();
        const { arrival, isRefused, headers, waitMs } = judge(
          bucketOf(model, route, channel),
          sending,
        );
        clock.setTimeout(() => {
          if (fate === 'is lost on the way back') return lose();
          if (isRefused && !givenUp) arrival.refusal = { lastFrameAtMs: clock.monotonic(), waitMs };
          handler.onResponseStart(controller, isRefused ? 429 : 200, headers);
          if (!isRefused && route === 'messages.list') {
            handler.onResponseData(controller, Buffer.from(PAGE));
          }
          handler.onResponseEnd(controller);
        }, latencyMs[1]);
      }, latencyMs[0]);
    },
  };

  const open = (): Rest =>
    createRest({
      token: 'made-up',
      baseUrl: 'https://chat.example.com',
      clock,
      random,
      dispatcher,
      deadlineMs: 60_000,
      log: silentLog,
      stateFile,
    });
  let rest = open();
  let opening = Promise.resolve();

  const start = async ({ route, channel, priority, abortAfterMs }: Call): Promise<unknown> => {
    await opening;
    const ending = new AbortController();
    if (abortAfterMs !== undefined) clock.setTimeout(() => ending.abort(), abortAfterMs);
    const options = { priority, signal: ending.signal };
    const id = channelId(channel);
    switch (route) {
      case 'send':
        return rest.messages.send(id, { content: 'x' }, options);
      case 'typing':
        return rest.channels.typing(id, options);
      case 'list':
        return rest.messages.list(id, {}, options);
      case 'delete':
        return rest.messages.delete(id, MESSAGE, options);
    }
  };
  let settled = 0;
  for (const each of calls) {
    clock.setTimeout(() => {
      start(each)
        .catch(() => {})
        .finally(() => (settled += 1));
    }, each.atMs);
  }
  if (restartAtMs !== undefined) {
    clock.setTimeout(() => {
      opening = rest.close().then(() => {
        rest = open();
      });
    }, restartAtMs);
  }
  // Every call has 60 s, and the last begins after 20 s.
  await clock.advance(81_000);
  return { rest, clock, arrivals, settled };
}

/** Returns the requests that were sent despite a refusal that the client had received. */
function inSpite(arrivals: readonly Arrival[]): Arrival[] {
  return arrivals.filter(({ narrow, sentAtMs }) =>
    arrivals.some(
      ({ narrow: other, refusal }) =>
        refusal !== undefined &&
        other === narrow &&
        sentAtMs > refusal.lastFrameAtMs &&
        sentAtMs < refusal.lastFrameAtMs + refusal.waitMs,
    ),
  );
}

describe('80: the limiter against a modeled platform', () => {
  it('never sends too early, also after a restart, and always finishes', async () => {
    const stateFile = join(temporaryFolder(), 'limits.json');
    const seen = { pauses: 0, sharing: 0 };
    await fc.assert(
      fc.asyncProperty(program, async (each) => {
        const { model, calls } = each;
        const { rest, clock, arrivals, settled } = await run(each, stateFile);
        expect(settled).toBe(calls.length);
        const { queued, inFlight, buckets } = rest.limits();
        expect(queued).toEqual({ interaction: 0, awaited: 0, background: 0 });
        expect(inFlight).toEqual({ interaction: 0, general: 0, upload: 0 });
        expect(buckets.filter((bucket) => bucket.inFlight !== 0)).toEqual([]);
        // However little a refusal says, nothing follows it before its time.
        expect(inSpite(arrivals)).toEqual([]);
        const shared = buckets.filter(({ route }) => route === '');
        // Channels that were limited at the same time each had a limit of their own.
        expect(
          model.sharing === 'route and channel' && each.restartAtMs === undefined ? shared : [],
        ).toEqual([]);
        seen.pauses += arrivals.filter(({ refusal }) => refusal).length;
        seen.sharing += shared.length;
        await rest.close();
        expect(clock.pending).toBe(0);
      }),
      { numRuns: PROGRAMS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
    );
    // It has to have seen something: programs that never meet a limit prove nothing.
    expect(seen.pauses).toBeGreaterThan(3 * PROGRAMS);
    expect(seen.sharing).toBeGreaterThan(PROGRAMS / 30);
  }, 300_000);
});
