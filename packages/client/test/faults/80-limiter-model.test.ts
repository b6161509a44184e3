import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRest, type HttpDispatcher, type Rest } from '@virgule/client/rest';
import { temporaryFolder } from '../temporary-folder.js';

/** What belongs together on the modelled platform, which the client is not told. */
type Sharing = 'route and channel' | 'two routes' | 'route' | 'everything';

interface Platform {
  readonly sharing: Sharing;
  readonly limit: number;
  readonly windowMs: number;
  /** Whether windows begin at fixed times, or with the first request after the last one. */
  readonly aligned: boolean;
  /** Whether answers to accepted requests carry Limit and Remaining too. */
  readonly tells: boolean;
  /** Whether a 429 carries Limit and Remaining beside its Retry-After. */
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
  /** When the client is closed, and another goes on with what it left. */
  readonly restartAtMs: number | undefined;
  readonly seed: number;
}

interface Arrival {
  readonly bucket: string;
  /** Route and channel: what the client takes for a bucket until it knows better. */
  readonly narrow: string;
  readonly sentAtMs: number;
  /** When the client got a refusal, and how long it was told to wait from then on. */
  refusal: { readonly heardAtMs: number; readonly waitMs: number } | undefined;
  readonly window: number;
  /** Whether the client knew the limit when it sent this. */
  readonly known: boolean;
  readonly refused: boolean;
  /** Whether the client got the answer: what it never heard of teaches it nothing. */
  heard: boolean;
}

const channelId = (channel: number): string =>
  `5e9b3c17-a264-4d80-b91e-${`${channel}`.padStart(12, '0')}`;
const MESSAGE = 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3';
const PAGE = JSON.stringify({ messages: [], hasMore: false, oldestId: null });

const ROUTES = ['messages.send', 'channels.typing', 'messages.list', 'messages.delete'];
const LANES = [0, 1, 2].flatMap((channel) =>
  ROUTES.map((route) => ({ route, channel: channelId(channel) })),
);

const platform: fc.Arbitrary<Platform> = fc.record({
  sharing: fc.constantFrom<Sharing>('route and channel', 'two routes', 'route', 'everything'),
  limit: fc.integer({ min: 1, max: 8 }),
  windowMs: fc.integer({ min: 700, max: 9_000 }),
  aligned: fc.boolean(),
  tells: fc.boolean(),
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

/** Calls one after the other on two routes, to a platform that says what remains. */
const calmProgram: fc.Arbitrary<Program> = fc
  .record({
    model: platform,
    sharing: fc.constantFrom<Sharing>('route and channel', 'two routes', 'route'),
    limit: fc.integer({ min: 8, max: 20 }),
    windowMs: fc.integer({ min: 2_000, max: 9_000 }),
    calls: fc.array(call, { minLength: 40, maxLength: 120, size: 'max' }),
    channels: fc.integer({ min: 1, max: 2 }),
    apartMs: fc.integer({ min: 90, max: 160 }),
    restartAtMs: fc.option(fc.integer({ min: 2_000, max: 12_000 }), { freq: 2, nil: undefined }),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 2 }),
  })
  .map(({ model, sharing, limit, windowMs, calls, channels, apartMs, restartAtMs, seed }) => ({
    model: { ...model, sharing, limit, windowMs, tells: true },
    calls: calls.map((each, index) => ({
      ...each,
      atMs: index * apartMs,
      route: each.route === 'send' || each.route === 'list' ? ('send' as const) : 'typing',
      channel: each.channel % channels,
      fate: index % 3 === 0 ? each.fate : ('arrives' as const),
      latencyMs: [each.latencyMs[0] % 40, each.latencyMs[1] % 40],
    })),
    restartAtMs,
    seed,
  }));

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
  const windows = new Map<string, { endsMs: number; count: number; index: number }>();
  let sent = 0;

  /** Which method and channel a request is of. */
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

  /** Whether the client has one limit in force for all that the platform counts together. */
  function isKnown(route: string, channel: string): boolean {
    const { buckets, merges } = rest.limits();
    const name = `${route} ${channel}`;
    const merge =
      merges.find(({ into }) => into === 'global') ??
      merges.find(({ into, members }) => into === 'shared' && members.includes(name)) ??
      merges.find((each) => each.into === 'route' && each.route === route);
    const rules = merge
      ? { scope: merge.into, route: merge.route, major: merge.major }
      : { scope: 'bucket', route, major: channel };
    const inForce = buckets.find(
      ({ scope, route: of, major }) =>
        scope === rules.scope && of === rules.route && major === rules.major,
    );
    const together = LANES.filter(
      (lane) => bucketOf(model, lane.route, lane.channel) === bucketOf(model, route, channel),
    );
    return (
      inForce?.limit !== undefined &&
      inForce.limit <= model.limit &&
      together.every((lane) => {
        const laneIs = `${lane.route} ${lane.channel}`;
        if (!merge) return laneIs === name;
        if (merge.into === 'shared') return merge.members.includes(laneIs);
        return merge.into === 'global' || lane.route === route;
      })
    );
  }

  function judge(
    bucket: string,
    { known, narrow, sentAtMs }: Pick<Arrival, 'known' | 'narrow' | 'sentAtMs'>,
  ): { arrival: Arrival; headers: Record<string, string>; waitMs: number } {
    const nowMs = clock.monotonic() - startMs;
    const last = windows.get(bucket);
    const aligned = Math.floor(nowMs / model.windowMs);
    const window =
      last && nowMs < last.endsMs
        ? last
        : {
            endsMs: model.aligned ? (aligned + 1) * model.windowMs : nowMs + model.windowMs,
            count: 0,
            index: (last?.index ?? 0) + 1,
          };
    windows.set(bucket, window);
    const refused = window.count >= model.limit;
    if (!refused) window.count += 1;
    const arrival: Arrival = {
      bucket,
      narrow,
      sentAtMs,
      refusal: undefined,
      window: window.index,
      known,
      refused,
      heard: false,
    };
    arrivals.push(arrival);
    const numbers = {
      'x-ratelimit-limit': String(model.limit),
      'x-ratelimit-remaining': String(model.limit - window.count),
    };
    const seconds = Math.ceil((window.endsMs - nowMs) / 1_000);
    const waitMs = seconds * 1_000;
    if (!refused) return { arrival, headers: model.tells ? numbers : {}, waitMs };
    const states =
      model.states === 'sometimes' ? arrivals.length % 2 === 0 : model.states === 'always';
    const wait = { 'retry-after': String(seconds) };
    return { arrival, headers: states ? { ...numbers, ...wait } : wait, waitMs };
  }

  const dispatcher: HttpDispatcher = {
    dispatch(request, handler) {
      const { latencyMs, fate } = calls[sent % calls.length] ?? {
        latencyMs: [1, 1],
        fate: 'arrives',
      };
      sent += 1;
      const { route, channel } = read(request.method, request.path);
      const sending = {
        known: isKnown(route, channel),
        narrow: `${route} ${channel}`,
        sentAtMs: clock.monotonic(),
      };
      let givenUp = false;
      const controller = { abort: () => (givenUp = true) };
      handler.onRequestStart(controller);
      const lose = (): void => handler.onResponseError(controller, new Error('connection reset'));
      clock.setTimeout(() => {
        if (fate === 'is lost on the way there') return lose();
        const { arrival, headers, waitMs } = judge(bucketOf(model, route, channel), sending);
        clock.setTimeout(() => {
          if (fate === 'is lost on the way back') return lose();
          arrival.heard = !givenUp;
          if (arrival.refused && arrival.heard) {
            arrival.refusal = { heardAtMs: clock.monotonic(), waitMs };
          }
          handler.onResponseStart(controller, arrival.refused ? 429 : 200, headers);
          if (!arrival.refused && route === 'messages.list') {
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
      stateFile,
    });
  let rest = open();
  let opening = Promise.resolve();
  let restartedAtMs = Number.POSITIVE_INFINITY;

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
  const outcomes: unknown[] = [];
  for (const each of calls) {
    clock.setTimeout(() => {
      start(each)
        .then(
          () => outcomes.push('done'),
          (error: unknown) => outcomes.push(error),
        )
        .finally(() => (settled += 1));
    }, each.atMs);
  }
  if (restartAtMs !== undefined) {
    clock.setTimeout(() => {
      opening = rest.close().then(() => {
        rest = open();
        restartedAtMs = clock.monotonic();
      });
    }, restartAtMs);
  }
  // Every call has 60 s, and the last begins after 20 s.
  await clock.advance(81_000);
  return { rest, clock, arrivals, outcomes, settled, restartedAtMs };
}

/** The windows in which everything was sent by a client that knew the limit, as far as it heard. */
function knownWindows(arrivals: readonly Arrival[]): Arrival[][] {
  const windows = new Map<string, Arrival[]>();
  for (const arrival of arrivals) {
    const name = `${arrival.bucket} ${arrival.window}`;
    windows.set(name, [...(windows.get(name) ?? []), arrival]);
  }
  return [...windows.values()]
    .filter((window) => window.every(({ known }) => known))
    .map((window) => window.filter(({ refused, heard }) => heard || !refused));
}

/** What was sent in spite of a refusal that the client had heard. */
function inSpite(arrivals: readonly Arrival[]): Arrival[] {
  return arrivals.filter(({ narrow, sentAtMs }) =>
    arrivals.some(
      ({ narrow: other, refusal }) =>
        refusal !== undefined &&
        other === narrow &&
        sentAtMs > refusal.heardAtMs &&
        sentAtMs < refusal.heardAtMs + refusal.waitMs,
    ),
  );
}

/** Runs a program, and checks what holds for each; gives what was to be seen in it. */
async function check(program: Program, stateFile: string) {
  const { model, calls } = program;
  const { rest, clock, arrivals, settled, restartedAtMs } = await run(program, stateFile);
  expect(settled).toBe(calls.length);
  const { queued, inFlight, buckets, merges } = rest.limits();
  expect(queued).toEqual({ interaction: 0, awaited: 0, background: 0 });
  expect(inFlight).toEqual({ interaction: 0, general: 0, upload: 0 });
  expect(buckets.filter((bucket) => bucket.inFlight !== 0)).toEqual([]);
  // However little a refusal says, nothing follows it before its time.
  expect(inSpite(arrivals)).toEqual([]);
  // Channels that were limited at the same time each had a limit of their own.
  expect(model.sharing === 'route and channel' ? merges : []).toEqual([]);
  const shared = merges.filter(({ into }) => into === 'shared');
  for (const { members } of shared) {
    const truly = members.map((name) => {
      const [route = '', channel = ''] = name.split(' ');
      return bucketOf(model, route, channel);
    });
    expect(new Set(truly).size).toBe(1);
  }
  const windows = knownWindows(arrivals);
  for (const window of windows) expect(window.length).toBeLessThanOrEqual(model.limit + 1);
  await rest.close();
  expect(clock.pending).toBe(0);
  return {
    judged: windows.length,
    judgedAfterRestart: windows.filter((window) =>
      window.some(({ sentAtMs }) => sentAtMs >= restartedAtMs),
    ).length,
    shared: shared.length,
  };
}

/** Runs many, and gives what was to be seen in all of them. */
async function checkAll(programs: fc.Arbitrary<Program>, numRuns: number) {
  const stateFile = join(temporaryFolder(), 'limits.json');
  const seen = { judged: 0, judgedAfterRestart: 0, shared: 0 };
  await fc.assert(
    fc.asyncProperty(programs, async (each) => {
      const { judged, judgedAfterRestart, shared } = await check(each, stateFile);
      seen.judged += judged;
      seen.judgedAfterRestart += judgedAfterRestart;
      seen.shared += shared;
    }),
    { numRuns, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
  );
  return seen;
}

describe('80: the limiter against a modelled platform', () => {
  it('never sends more than a known limit and one, also after a restart, and always comes to an end', async () => {
    const seen = await checkAll(program, 300);
    // It has to have seen something: programs without a limit in force prove nothing.
    expect(seen.judged).toBeGreaterThan(300);
    expect(seen.judgedAfterRestart).toBeGreaterThan(30);
  }, 300_000);

  it('finds the two routes that share a limit, and no others', async () => {
    const seen = await checkAll(calmProgram, 150);
    expect(seen.shared).toBeGreaterThan(10);
  }, 300_000);
});
