// The probe recovers what the simulator does, and leaves nothing behind.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HttpDispatcher } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import { PROFILES, resolveProfile, type ProfileSettings } from '@virgule/core/protocol';
import { readConfig } from '@virgule/runtime/project';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runs } from '../../core/test/fixtures/property-runs.js';
import type { Config } from '../src/index.js';
import { Lab, resetUnitOf, type LabOptions } from '../src/probe/lab.js';
import { probePlatform } from '../src/probe/probe-platform.js';
import { createMemoryDispatcher } from '../src/testing/memory-dispatcher.js';
import type { ActivityRecords } from '../src/testing/activity-records.js';

type ProbeOptions = Parameters<typeof probePlatform>[0];
type PlatformFacts = Awaited<ReturnType<typeof probePlatform>>;

const NOW = Date.parse('2026-11-27T12:00:00Z');
const ALL = ['BOT_USER_TOKEN', 'a user', '--write-commands'];

const UNREACHABLE = [
  'sameTokenSockets',
  'attachmentInput',
  'editIntervalMs',
  'heartbeat.boundsMs',
  'heartbeat.fallbackMs',
  'identifies.perDay',
  'identifies.perMinute',
];

async function startPlatform(profile: ProfileSettings) {
  const clock = createFakeClock();
  const platform = await startSimulator({ port: null, clock, profile, pageDir: null });
  onTestFinished(() => platform.close());
  const root = mkdtempSync(join(tmpdir(), 'virgule-probe-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const request = async (method: string, path: string, body: object): Promise<void> => {
    const headers = { authorization: `Bot ${platform.token}`, host: 'localhost' };
    const sent = Buffer.from(JSON.stringify(body));
    const answer = await platform.request({ method, path, headers, body: sent });
    expect(answer.status).toBe(200);
  };
  const option = { name: 'it', description: 'It', required: true };
  const commands = [
    { name: 'file', description: 'File', options: [{ ...option, type: 'attachment' }] },
    { name: 'hello', description: 'Hello', options: [] },
  ];
  const register = (all: readonly object[]) =>
    request('PUT', '/api/bot/v1/commands', { commands: all });
  await register(commands);
  for (let index = 0; index < 110; index += 1) platform.sendMessage({ content: `m${index}` });
  const view = () => ({
    shown: platform.messages().filter(({ isDeleted }) => !isDeleted),
    names: platform.snapshot().commands.map(({ name }) => name),
  });
  return { clock, platform, root, register, before: view(), view };
}

type Place = Awaited<ReturnType<typeof startPlatform>>;

interface Given {
  /** Rights of the probe. @defaultValue all */
  readonly has?: readonly string[];
  readonly marker?: string;
  readonly signal?: AbortSignal;
  readonly maxCalls?: number;
  readonly channelId?: string;
  readonly runCommand?: ProbeOptions['runCommand'];
  readonly WebSocket?: ProbeOptions['WebSocket'];
  readonly onFact?: (name: string) => void;
  readonly onWait?: (ms: number) => void;
  /** Called after each answer. */
  readonly onAnswer?: () => void;
  /** Returns the body of an answer as another platform would write it. */
  readonly rewrite?: (request: string, body: unknown) => unknown;
  /** Ends the test of a run that never ends. */
  readonly isKilled?: () => boolean;
}

async function runAsUser({ platform }: Place, commandId: string, rawInput: string): Promise<void> {
  const { status } = await platform.request({
    method: 'POST',
    path: `/api/channels/${platform.channel().id}/interactions/commands`,
    headers: { authorization: `Bearer ${platform.userToken}`, host: 'localhost' },
    body: Buffer.from(JSON.stringify({ commandId, rawInput })),
  });
  expect(status).toBe(200);
}

/** Runs the probe; resolves with `undefined` if it was killed. */
async function probe(place: Place, given: Given = {}): Promise<PlatformFacts | undefined> {
  const { clock, platform, root } = place;
  const { has = ALL, onAnswer, isKilled = () => false, rewrite, ...others } = given;
  const request: typeof platform.request = async (call) => {
    const answer = await platform.request(call);
    const body = rewrite?.(
      `${call.method} ${call.path}`,
      JSON.parse(String(answer.body) || 'null'),
    );
    return body === undefined ? answer : { ...answer, status: 200, body: JSON.stringify(body) };
  };
  const memory = createMemoryDispatcher({
    platform: Object.create(platform, { request: { value: request } }) as typeof platform,
    clock,
    // No command of the bot is recorded.
    records: { of: () => undefined } as unknown as ActivityRecords,
    closing: new AbortController().signal,
    killed: new AbortController().signal,
  });
  const dispatcher: HttpDispatcher = {
    dispatch(request, handler) {
      if (isKilled()) return;
      memory.dispatch(request, {
        onRequestStart: (controller) => handler.onRequestStart(controller),
        onResponseStart(...all) {
          onAnswer?.();
          if (!isKilled()) handler.onResponseStart(...all);
        },
        onResponseData: (...all) => void (isKilled() || handler.onResponseData(...all)),
        onResponseError: (...all) => void (isKilled() || handler.onResponseError(...all)),
        onResponseEnd: (controller) => void (isKilled() || handler.onResponseEnd(controller)),
      });
    },
  };
  let isOver = false;
  const ran = probePlatform({
    // A process that was killed has no timers.
    clock: {
      ...clock,
      setTimeout: (callback, ...more) => clock.setTimeout(() => isKilled() || callback(), ...more),
      async sleep(...given) {
        await clock.sleep(...given);
        if (isKilled()) await new Promise(() => {});
      },
    },
    root,
    channelId: platform.channel().id,
    has: new Set(['a bot', ...has]),
    maxCalls: 600,
    dispatcher,
    log: silentLog,
    WebSocket: platform.WebSocket,
    baseUrl: platform.baseUrl,
    gatewayUrl: platform.gatewayUrl,
    token: platform.token,
    runCommand: ({ id, name }) => runAsUser(place, id, `/${name}`),
    marker: 'probe-0123456789ab',
    signal: new AbortController().signal,
    onFact: () => {},
    onWait: () => {},
    ...others,
  }).finally(() => (isOver = true));
  ran.catch(() => {});
  while (!isOver && !isKilled()) await clock.advance(1_000);
  return isOver ? ran : undefined;
}

const memberOf = (settings: ProfileSettings, name: string): unknown =>
  name
    .split('.')
    .reduce<unknown>(
      (value, key) => (isRecord(value) ? value[key] : undefined),
      resolveProfile(settings),
    );

/** Runs the probe, and expects exactly these facts to be unknown, the others right, and the world as before. */
async function expectRecovered(
  profile: ProfileSettings,
  unreachable = UNREACHABLE,
  given: Given | ((place: Place) => Given) = {},
) {
  const place = await startPlatform(profile);
  const found = await probe(place, typeof given === 'function' ? given(place) : given);
  if (found === undefined) throw new Error('the probe was killed');
  const { facts } = found.measured;
  const names = Object.keys(facts).filter((name) => !/^(closes|edits|rateLimit)/.test(name));
  const isKnown = (name: string): boolean => facts[name]?.['confidence'] !== 'not-reachable';
  expect(names.filter((name) => !isKnown(name)).toSorted()).toEqual(unreachable.toSorted());
  const known = names.filter(isKnown);
  expect(known.map((name) => [name, facts[name]?.['value']])).toEqual(
    known.map((name) => [name, memberOf(profile, name)]),
  );
  expectAsBefore(place);
  const own = place.platform.messages().filter(({ content }) => content.startsWith('probe-'));
  expect(own.length).toBeLessThanOrEqual(8);
  await place.platform.close();
  return { found, place };
}

const hasMarker = (root: string): boolean =>
  existsSync(join(root, '.virgule')) &&
  readdirSync(join(root, '.virgule')).some((name) => /^probe-[\da-f-]+$/.test(name));

function expectAsBefore({ view, before, root }: Place): void {
  expect(view()).toEqual(before);
  expect(hasMarker(root)).toBe(false);
}

/** The opposite of what the default profile assumes, as far as a probe can distinguish it. */
const HOSTILE: ProfileSettings = {
  answerWindowMs: 1_250,
  deferredWindowMs: 20_000,
  ackStopsExpiry: false,
  refusals: {
    alreadyAnswered: { status: 200, code: '' },
    nothingToEdit: { status: 403, code: '' },
    interactionGone: { status: 403, code: '' },
    validationStatus: 413,
  },
  messageResponse: 'empty',
  syncResponse: 'empty',
  messageEvent: 'unknown-fields',
  unicodeEmojiKind: 'custom',
  uploadMethod: 'PUT',
  channelTypes: { text: '0', voice: 'GUILD_VOICE' },
  commandUser: 'userId',
  contentUnit: 'code-point',
  heartbeat: { intervalMs: 1_000 },
  pageMax: 3,
  attachmentsMax: 1,
  uploadMaxBytes: 1,
};

function randomProfile(seed: number): ProfileSettings {
  let state = seed;
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const one = <T>(...values: readonly [T, ...T[]]): T => values[below(values.length)] ?? values[0];
  const refusal = () => ({
    status: one(400, 403, 404, 409, 410, 422),
    code: one('', 'bot_no', 'bot_gone', 'bot_late', 'bot_done'),
  });
  const answerWindowMs = 250 * (2 + below(40));
  return {
    answerWindowMs,
    deferredWindowMs: 15_000 + 5_000 * below(20),
    ackStopsExpiry: one(true, false),
    refusals: {
      alreadyAnswered: refusal(),
      nothingToEdit: one(refusal(), { status: 200, code: '' }),
      interactionGone: refusal(),
      validationStatus: one(400, 413, 422),
    },
    messageResponse: one('message', 'empty', 'id', 'unknown-fields'),
    syncResponse: one('list', 'empty', 'wrapped'),
    messageEvent: one('with-server-id', 'without-server-id', 'unknown-fields'),
    unicodeEmojiKind: one('unicode', 'emoji', 'custom'),
    uploadMethod: one('POST', 'PUT'),
    attachmentInput: one('url', 'id'),
    channelTypes: one({ text: 'text', voice: 'voice' }, { text: 'TEXT', voice: 'VOICE' }),
    sameTokenSockets: one('replace', 'broadcast', 'split', 'refuse'),
    commandUser: one('absent', 'userId', 'user.id'),
    contentUnit: one('utf-16-code-unit', 'code-point'),
    heartbeat: { intervalMs: 1_000 * (1 + below(60)) },
    editIntervalMs: 250 * below(8),
    pageMax: 1 + below(100),
    attachmentsMax: 1 + below(11),
    uploadMaxBytes: 1 + below(1_000_000),
  };
}

/** Names of refusals that a bot would use, and that other errors may have: by their status, or by status and code. */
function sharedIn({ refusals }: ReturnType<typeof resolveProfile>): string[] {
  const { alreadyAnswered, nothingToEdit, interactionGone, validationStatus } = refusals;
  const all = Object.entries({ alreadyAnswered, nothingToEdit, interactionGone });
  const isShared = ([name, { status, code }]: (typeof all)[number]): boolean =>
    (code !== '' || name === 'alreadyAnswered') &&
    (status === 403 ||
      status === validationStatus ||
      all.some(
        ([other, refusal]) => other !== name && refusal.code === code && refusal.status === status,
      ));
  return all.filter(isShared).map(([name]) => `refusals.${name}`);
}

/** Has the platform refuse calls of an endpoint, at most `times` if set. */
function refuse(
  { platform }: Place,
  request: string,
  { status, times }: { readonly status: number; readonly times?: number },
): void {
  platform.setFaults({
    rules: [{ name: 'no', on: { request }, do: { type: 'status', status }, times }],
  });
}

/** Returns a socket that shows no messages. */
const withoutMessages = ({ platform }: Place) =>
  class extends platform.WebSocket {
    override emit(event: string, ...given: readonly unknown[]): boolean {
      return String(given[0]).includes('"MESSAGE_') || super.emit(event, ...given);
    }
  };

describe('virgule probe', () => {
  it.each([
    ['default', 287, 1_063],
    ['terse', 287, 1_063],
    ['renamed', 287, 1_063],
    ['hasty', 126, 223],
  ] as const)(
    'recovers the profile %s with %i calls in about %i s',
    async (name, calls, seconds) => {
      const { found } = await expectRecovered(PROFILES[name]);
      expect(found.measured.calls).toBe(calls);
      expect(found.measured.bodies).toHaveProperty(['interactions.respond']);
      expect(Math.abs(found.measured.seconds - seconds)).toBeLessThan(20);
    },
  );

  it('takes no repeated event for another command', async () => {
    const repeating = ({ clock, platform }: Place): Given => ({
      WebSocket: class extends platform.WebSocket {
        override emit(event: string, ...given: readonly unknown[]): boolean {
          const text = String(given[0]);
          // Without a sequence number, the frame is no repetition for the client.
          const again = Buffer.from(text.replace(/"s":\d+/, '"s":null'));
          if (event === 'message' && text.includes('APPLICATION_COMMAND'))
            for (let ms = 200; ms < 8_000; ms += 200)
              void clock.sleep(ms).then(() => super.emit(event, again, ...given.slice(1)));
          return super.emit(event, ...given);
        }
      },
    });
    const { found } = await expectRecovered(PROFILES.hasty, UNREACHABLE, repeating);
    expect(found.measured.facts['answerWindowMs']?.['confidence']).toBe('measured');
  });

  it('recovers a hostile mixture', async () => {
    const { found } = await expectRecovered(HOSTILE);
    // The setting takes the content of the file.
    const given: Config = { profile: found, targets: { staging: { profile: found } } };
    const { config, problems } = readConfig(given, { file: 'virgule.config.ts' });
    expect(problems).toEqual([]);
    expect(resolveProfile(config.profile)).toEqual(resolveProfile(HOSTILE));
    expect(config.targets?.['staging']?.profile).toEqual(config.profile);
  });

  it('recovers random profiles', async () => {
    for (let seed = 1; seed <= runs(100); seed += 1) {
      const profile = randomProfile(seed);
      const shared = sharedIn(resolveProfile(profile));
      const { found } = await expectRecovered(profile, [...UNREACHABLE, ...shared]);
      expect(found.measured.facts['pageMax']?.['value']).toBe(memberOf(profile, 'pageMax'));
    }
  });

  it('does not know the windows if a lost interaction is answered with success', async () => {
    const interactionGone = { status: 200, code: '' };
    const windows = ['answerWindowMs', 'ackStopsExpiry', 'deferredWindowMs'];
    const unreachable = [...UNREACHABLE, ...windows, 'refusals.interactionGone'];
    const { found } = await expectRecovered({ refusals: { interactionGone } }, unreachable);
    expect(found).not.toHaveProperty('refusals.interactionGone');
  });

  it('names what needs a user or a flag', async () => {
    const left = [
      'refusals.alreadyAnswered',
      'refusals.nothingToEdit',
      'answerWindowMs',
      'deferredWindowMs',
      'ackStopsExpiry',
      'commandUser',
      'syncResponse',
    ];
    const given = { has: [] };
    const { found, place } = await expectRecovered({}, [...UNREACHABLE, ...left], given);
    expect(place.platform.counts.requests['commands.replace']).toBe(1);
    expect(found.measured.facts['syncResponse']?.['evidence']).toBe('needs --write-commands');
    expect(found.measured.facts['commandUser']?.['evidence']).toBe('needs a user');
  });

  describe('with a person who is asked to type', () => {
    const left = ['answerWindowMs', 'deferredWindowMs', 'ackStopsExpiry', 'syncResponse'];
    const rest = UNREACHABLE.filter((name) => name !== 'attachmentInput');
    const has = ['a user'];

    it.each([
      ['url', 'https://files.example/secret.png'],
      ['id', '0c5e3b1a-9f4d-4e27-8a61-3d7b2c9e5f10'],
    ] as const)('learns what a line contains for a file: %s', async (attachmentInput, file) => {
      const { found } = await expectRecovered({ attachmentInput }, [...rest, ...left], (place) => ({
        has,
        async runCommand({ id, name }) {
          // A person takes some time.
          place.clock.setTimeout(() => void runAsUser(place, id, `/${name} ${file}`), 30_000);
        },
      }));
      expect(JSON.stringify(found)).not.toContain(file);
    });

    it.each([
      ['no file', [{ name: 'text', type: 'string' }]],
      [
        'a file and a text',
        [
          { name: 'text', type: 'string' },
          { name: 'file', type: 'attachment' },
        ],
      ],
    ])('learns nothing about files from a command with %s', async (_, options) => {
      const place = await startPlatform(PROFILES.hasty);
      const described = options.map((one) => ({ ...one, description: 'It', required: true }));
      await place.register([{ name: 'note', description: 'Note', options: described }]);
      const found = await probe(place, {
        has,
        runCommand: ({ id }) => runAsUser(place, id, '/note https://files.example/secret.png'),
      });
      expect(found).not.toHaveProperty('attachmentInput');
      expect(found?.measured.facts['attachmentInput']?.['evidence']).toContain('only files');
      expect(found?.measured.facts['commandUser']?.['value']).toBe('absent');
    });

    it('knows nothing from a person who does not type', async () => {
      const unknown = ['refusals.alreadyAnswered', 'refusals.nothingToEdit', 'commandUser'];
      const given = { has, runCommand: async () => {} };
      const { found } = await expectRecovered({}, [...UNREACHABLE, ...left, ...unknown], given);
      const { evidence } = found.measured.facts['refusals.nothingToEdit'] ?? {};
      expect(evidence).toBe('no event of /file was received');
    });
  });

  it('knows nothing that needs a message in a channel where the bot may not write', async () => {
    const unknown = ['messageResponse', 'unicodeEmojiKind', 'attachmentsMax'];
    // Answers to a command show the others.
    const all = [...UNREACHABLE, ...unknown, 'contentUnit'];
    const { found } = await expectRecovered({}, all, (place) => {
      refuse(place, 'messages.send', { status: 403 });
      return {};
    });
    expect(found.measured.facts['messageResponse']?.['evidence']).toContain('403');
  });

  it('reports no token, no id and no content', async () => {
    const { found, place } = await expectRecovered(PROFILES.renamed);
    const text = JSON.stringify(found);
    expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-|probe-0123/);
    expect(text).not.toContain(place.platform.token);
    expect(text).not.toContain(place.platform.userToken);
  });

  it('does not mistake a late call for the end of an interaction', async () => {
    const unknown = ['answerWindowMs', 'ackStopsExpiry'];
    const profile = { answerWindowMs: 40_000 };
    const { found } = await expectRecovered(profile, [...UNREACHABLE, ...unknown], (place) => ({
      onFact(name) {
        if (name !== 'commandUser') return;
        const limited = { type: 'status', status: 429, retryAfter: 20 } as const;
        const on = { request: 'interactions.ack' };
        place.platform.setFaults({ rules: [{ name: 'busy', on, do: limited, times: 1 }] });
      },
    }));
    expect(found.measured.facts['deferredWindowMs']?.['value']).toBe(15 * 60_000);
  });

  it('does not wait for the answer to the call of a user', async () => {
    const { found } = await expectRecovered({ answerWindowMs: 1_500 }, UNREACHABLE, (place) => ({
      async runCommand({ id, name }) {
        await runAsUser(place, id, `/${name}`);
        await place.clock.sleep(30_000);
      },
    }));
    expect(found).toMatchObject({ answerWindowMs: 1_500 });
  });

  it('waits for a rate limit, and names its route', async () => {
    const place = await startPlatform({});
    const { platform } = place;
    const limited = { type: 'status', status: 429, retryAfter: 40 } as const;
    platform.setFaults({
      rules: [{ name: 'busy', on: { request: 'messages.send' }, do: limited, times: 1 }],
    });
    const found = await probe(place, { has: [] });
    expect(found?.measured.facts['messageResponse']?.['value']).toBe('message');
    expect(found?.measured.seconds).toBeGreaterThan(40);
    expect(found?.measured.limits).toMatchObject([{ route: 'messages.send' }]);
    expect(found?.measured.bodies['rateLimit']).toBe('retry-after 40');
    expect(found?.measured.facts['rateLimitReset']).toMatchObject({ confidence: 'not-reachable' });
    expectAsBefore(place);
  });

  it.each([
    [40, 40, 'seconds'],
    [6, 5, 'seconds'],
    [2, 1, undefined],
    [2, 2, 'seconds'],
    [4, 4_000, undefined],
    [1, 60, undefined],
    [0, 45, undefined],
    [2, 1_800, undefined],
    [40, 39_400, 'milliseconds'],
    [172_800, 172_800_000, 'milliseconds'],
    [2, NOW / 1_000 + 40, 'seconds since 1970'],
    [undefined, NOW + 3_600_000, 'milliseconds since 1970'],
    [2, NOW * 1_000, undefined],
    [2, 2_000_000_000, undefined],
    [40, 7, undefined],
    [undefined, 5, undefined],
  ])('reads the unit of a reset after %s s from %i', (wait, reset, unit) => {
    expect(resetUnitOf({ 'retry-after': wait, 'x-ratelimit-reset': reset }, NOW)).toBe(unit);
  });

  it('keeps the fields of all that it saw, and the unit of a reset', async () => {
    const place = await startPlatform({});
    const limited = { type: 'limit', limit: 5, perMs: 20_000 } as const;
    const on = { request: 'messages.edit' };
    place.platform.setFaults({ rules: [{ name: 'x', on, do: limited }] });
    await probe(place, { has: [] });
    const { measured } = JSON.parse(readFileSync(join(place.root, 'platform.json'), 'utf8'));
    const { bodies, facts } = measured;
    expect(facts.rateLimitReset).toMatchObject({ value: 'seconds' });
    expect(bodies['rateLimit']).toMatch(
      /^retry-after \d+, x-ratelimit-limit 5, x-ratelimit-remaining 0, x-ratelimit-reset \d+$/,
    );
    expect(Object.keys(bodies)).toEqual(
      expect.arrayContaining(
        `HELLO MESSAGE_CREATE MESSAGE_UPDATE MESSAGE_DELETE MESSAGE_REACTION_ADD MESSAGE_REACTION_REMOVE
        messages.send messages.edit messages.delete reactions.add reactions.remove`.split(/\s+/),
      ),
    );
    expectAsBefore(place);
  });

  it.each([
    [5, 3, 3],
    [120, 3, 3],
    [20, 0, 'none'],
  ])('counts the edits before a rate limit of %i s, up to 12', async (retryAfter, skip, edits) => {
    const place = await startPlatform({});
    const limited = { type: 'status', status: 429, retryAfter } as const;
    const on = { request: 'messages.edit' };
    place.platform.setFaults({ rules: [{ name: 'x', on, do: limited, skip, times: 1 }] });
    const found = await probe(place, { has: [] });
    const counted = {
      value: edits,
      confidence: 'seen-once',
      evidence: 'counted once, after other calls',
    };
    expect(found?.measured.facts['edits']).toMatchObject(counted);
    expect(found?.measured.limits).toMatchObject([{ route: 'messages.edit' }]);
    const next = await probe(place, { has: [] });
    expect(next?.measured.facts['edits']?.['value']).toBe('12 or more');
    expectAsBefore(place);
  });

  it('makes no more calls than planned, but deletes what it wrote', async () => {
    const place = await startPlatform({});
    const found = await probe(place, { maxCalls: 30 });
    expect(found?.measured.facts['pageMax']?.['value']).toBe(100);
    expect(found?.measured.facts['answerWindowMs']?.['evidence']).toBe('ended after 30 calls');
    expectAsBefore(place);
  });

  it('deletes what it wrote when it is interrupted', async () => {
    const place = await startPlatform({});
    const stop = new AbortController();
    let answers = 0;
    const onAnswer = (): void => {
      if ((answers += 1) === 30) stop.abort(new Error('interrupted'));
    };
    await expect(probe(place, { signal: stop.signal, onAnswer })).rejects.toThrow('interrupted');
    expectAsBefore(place);
  });

  it('deletes at the next run what it wrote before it was killed, after any call', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const found = await probe(place);
    const calls = found?.measured.calls ?? 0;
    expect(calls).toBeGreaterThan(50);
    let most = 0;
    // After each call in `npm run test:all`.
    for (let last = 1; last < calls; last += 10 / runs(10)) {
      let answers = 0;
      let isKilled = false;
      const onAnswer = (): void => {
        if ((answers += 1) === last) isKilled = true;
      };
      const marker = `probe-killed-${last}-`;
      await probe(place, { marker, onAnswer, isKilled: () => isKilled });
      most = Math.max(most, place.view().shown.length - place.before.shown.length);
      const stop = new AbortController();
      const next = { signal: stop.signal, onFact: () => stop.abort(new Error('interrupted')) };
      await expect(probe(place, next)).rejects.toThrow('interrupted');
      expectAsBefore(place);
    }
    expect(most).toBeGreaterThan(2);
  });

  it('takes nothing of other people for its own', async () => {
    const place = await startPlatform({
      answerWindowMs: 1_250,
      deferredWindowMs: 20_000,
      messageResponse: 'empty',
      messageEvent: 'without-server-id',
    });
    const { platform } = place;
    const elsewhere = platform.messages('bot-spam').find(({ isDeleted }) => !isDeleted);
    const others: string[] = [];
    const found = await probe(place, {
      async runCommand({ id, name }) {
        others.push(platform.run({ rawInput: '/hello', channel: 'bot-spam' }).id);
        await runAsUser(place, id, `/${name}`);
      },
      onFact() {
        platform.sendMessage({ attachments: [{ name: 'a.txt', data: 'x' }] });
        platform.react({ messageId: elsewhere?.id ?? '', emoji: '🎉' });
        for (const channel of ['bot-spam', 'general'])
          others.push(platform.run({ rawInput: '/hello', channel }).id);
      },
    });
    expect(found).toMatchObject({
      answerWindowMs: 1_250,
      deferredWindowMs: 20_000,
      messageEvent: 'without-server-id',
      unicodeEmojiKind: 'unicode',
      refusals: resolveProfile().refusals,
    });
    const states = new Set(others.map((id) => platform.interaction(id)?.state));
    expect([...states]).toEqual(['expired']);
    expect(place.view().shown.filter(({ content }) => content.startsWith('probe-'))).toEqual([]);
  });

  it('leaves copies of its messages by other people, and runs again', async () => {
    const place = await startPlatform({});
    let copies = 0;
    const given: Given = {
      onFact(name) {
        const [own] = place.view().shown.filter(({ content }) => content.startsWith('probe-'));
        if (name !== 'messageEvent' || !own) return;
        place.platform.sendMessage({ content: own.content });
        copies += 1;
      },
    };
    expect(await probe(place, given)).toBeDefined();
    expect(await probe(place, given)).toBeDefined();
    const left = place.view().shown.filter(({ content }) => content.startsWith('probe-'));
    expect([copies, left.length]).toEqual([2, 2]);
  });

  it.each([503, 500])('deletes again after a %i', async (status) => {
    const place = await startPlatform({});
    refuse(place, 'messages.delete', { status, times: 1 });
    expect(await probe(place, { has: [] })).toBeDefined();
    expectAsBefore(place);
  });

  it('keeps the result and its marker if a deletion is refused, until the next run', async () => {
    const place = await startPlatform({});
    const channel = place.platform.channel().id;
    const refused = probe(place, {
      has: [],
      onFact: (fact) =>
        void (fact === 'closes.badToken' && refuse(place, 'messages.delete', { status: 403 })),
    });
    const message = expect.stringMatching(`${channel} .*403`);
    const hint = expect.stringMatching(/probe-0123456789ab, .*.virgule\/probe-/);
    await expect(refused).rejects.toMatchObject({ code: 'E_PROBE_FAILED', message, hint });
    const written: unknown = JSON.parse(readFileSync(join(place.root, 'platform.json'), 'utf8'));
    expect(written).toMatchObject({ pageMax: 100 });
    await expect(probe(place)).rejects.toThrow(channel);
    place.platform.setFaults({ rules: [] });
    await probe(place, { has: [], marker: 'probe-next' });
    expect(hasMarker(place.root)).toBe(false);
    expect(place.view().shown.filter(({ content }) => content.startsWith('probe-'))).toEqual([]);
  });

  it('keeps the marker of another bot', async () => {
    const place = await startPlatform({});
    mkdirSync(join(place.root, '.virgule'));
    writeFileSync(join(place.root, '.virgule/probe-another'), 'c\nprobe-other\n');
    await probe(place, { has: [] });
    expectAsBefore(place);
    expect(existsSync(join(place.root, '.virgule/probe-another'))).toBe(true);
  });

  it('deletes the messages that it knows in a channel where it cannot search all pages', async () => {
    const place = await startPlatform({});
    const { platform } = place;
    const found = await probe(place, {
      has: [],
      onFact(fact) {
        if (fact === 'closes.badToken') refuse(place, 'messages.list', { status: 503, times: 1 });
        if (fact !== 'pageMax') return;
        for (let index = 0; index < 10_100; index += 1) platform.sendMessage({ content: 'people' });
      },
    });
    expect(found?.measured.facts['contentUnit']?.['value']).toBe('utf-16-code-unit');
    expect(place.view().shown.filter(({ content }) => content.startsWith('probe-'))).toEqual([]);
    expect(hasMarker(place.root)).toBe(false);
  });

  it('finds its messages among many of other people', async () => {
    const place = await startPlatform({ messageResponse: 'empty' });
    const { platform } = place;
    const stop = new AbortController();
    let isKilled = false;
    const kill = (fact: string): void => {
      if (fact === 'messageResponse') isKilled = true;
    };
    await probe(place, { onFact: kill, isKilled: () => isKilled });
    for (let index = 0; index < 10_100; index += 1) platform.sendMessage({ content: 'people' });
    const next = { signal: stop.signal, onFact: () => stop.abort(new Error('interrupted')) };
    // The pages of the search count as no calls of the run.
    await expect(probe(place, { ...next, maxCalls: 100 })).rejects.toThrow('interrupted');
    expect(place.view().shown.filter(({ content }) => content.startsWith('probe-'))).toEqual([]);
    expect(hasMarker(place.root)).toBe(false);
  });

  it.each([
    ['its place', 1],
    ['front of all', 100],
  ])('finds them although an earlier message is dated ahead, in %s', async (_, newer) => {
    const place = await startPlatform({ messageResponse: 'empty' });
    const { platform } = place;
    const ahead = platform.messages().at(-1);
    let isKilled = false;
    const kill = (fact: string): void => {
      if (fact === 'messageResponse') isKilled = true;
    };
    await probe(place, { onFact: kill, isKilled: () => isKilled });
    for (let index = 1; index < newer; index += 1) platform.sendMessage({ content: 'people' });
    const stop = new AbortController();
    await expect(
      probe(place, {
        signal: stop.signal,
        onFact: () => stop.abort(new Error('interrupted')),
        rewrite(request, body) {
          const { messages } = Object(body) as { readonly messages?: readonly object[] };
          if (!messages || request.includes('before=')) return undefined;
          const others = messages.filter((message) => Object(message).id !== ahead?.id);
          const createdAt = '2100-01-01T00:00:00.000Z';
          return { ...Object(body), messages: [{ ...ahead, createdAt }, ...others] };
        },
      }),
    ).rejects.toThrow('interrupted');
    expect(place.view().shown.filter(({ content }) => content.startsWith('probe-'))).toEqual([]);
    expect(hasMarker(place.root)).toBe(false);
  });

  it('keeps no words of the platform', async () => {
    const place = await startPlatform({});
    refuse(place, 'attachments.openUpload', { status: 400 });
    const found = await probe(place, { has: [] });
    const { evidence } = found?.measured.facts['attachmentsMax'] ?? {};
    expect(evidence).toContain('400 bot_fault');
    expect(JSON.stringify(found)).not.toContain('A fault of the simulator');
  });

  it.each(['10062', 'E404', 'not-found', 'errors/gone', 'INTERACTION_GONE'])(
    'keeps a refusal with the code %s',
    async (code) => {
      const interactionGone = { status: 404, code };
      const { found } = await expectRecovered({ refusals: { interactionGone } });
      expect(found).toMatchObject({ refusals: { interactionGone } });
    },
  );

  it('keeps no codes of errors that may be content', async () => {
    const place = await startPlatform({});
    const rules = ['attachments.openUpload', 'interactions.ack'].map((request) => {
      const refused = { type: 'status', status: 404, code: `Ada wrote: ${request}` } as const;
      return { name: request, on: { request }, do: refused };
    });
    place.platform.setFaults({ rules });
    const found = await probe(place, { has: [] });
    const { facts } = found?.measured ?? {};
    expect(facts?.['refusals.interactionGone']).toEqual({
      confidence: 'not-reachable',
      evidence: '404 …, a code that may be content',
    });
    expect(facts?.['attachmentsMax']?.['evidence']).toContain('404 …');
    expect(JSON.stringify(found)).not.toContain('Ada');
  });

  it('does not mistake another refusal for the end of an interaction', async () => {
    const unknown = ['answerWindowMs', 'ackStopsExpiry', 'deferredWindowMs'];
    const { found } = await expectRecovered({}, [...UNREACHABLE, ...unknown], (place) => ({
      onFact(name) {
        if (name === 'commandUser') refuse(place, 'interactions.ack', { status: 403 });
      },
    }));
    expect(found).not.toHaveProperty('answerWindowMs');
  });

  it.each([
    { status: 400, code: 'bot_validation_error' },
    { status: 400, code: 'bot_bad_request' },
    { status: 403, code: 'bot_not_found' },
    { status: 403, code: 'bot_missing_scope' },
  ])('takes no code of other errors for the end of an interaction: %j', async (gone) => {
    const profile = {
      answerWindowMs: 1_250,
      deferredWindowMs: 20_000,
      refusals: { interactionGone: gone },
    };
    // The windows are known: there, only the end of the interaction can cause this refusal.
    const { found } = await expectRecovered(profile, [...UNREACHABLE, 'refusals.interactionGone']);
    expect(found).not.toHaveProperty('refusals.interactionGone');
    const { evidence } = found.measured.facts['refusals.interactionGone'] ?? {};
    expect(evidence).toContain(`${gone.code} of other errors`);
  });

  it('takes no code of other errors for a second answer or an edit of nothing', async () => {
    const alreadyAnswered = { status: 400, code: 'bot_validation_error' };
    const nothingToEdit = { status: 403, code: 'bot_not_found' };
    const names = ['refusals.alreadyAnswered', 'refusals.nothingToEdit'];
    const refusals = { alreadyAnswered, nothingToEdit };
    const { found } = await expectRecovered({ refusals }, [...UNREACHABLE, ...names]);
    for (const name of names) {
      expect(found).not.toHaveProperty(name);
      expect(found.measured.facts[name]?.['evidence']).toContain('of other errors');
    }
  });

  it.each([
    ['interactionGone', 'reactions.add', 0],
    ['interactionGone', 'servers.channels', 0],
    ['alreadyAnswered', 'interactions.editResponse', 2],
    ['nothingToEdit', 'interactions.editResponse', 2],
  ] as const)(
    'does not take the code of %s if %s has it for another reason',
    async (name, request, skip) => {
      const { status, code } = resolveProfile(PROFILES.hasty).refusals[name];
      const { found } = await expectRecovered(
        PROFILES.hasty,
        [...UNREACHABLE, `refusals.${name}`],
        ({ platform }) => ({
          onFact(fact) {
            const refusal = { type: 'status', status, code } as const;
            const rule = { name: 'x', on: { request }, do: refusal, skip, times: 1 };
            if (fact === 'contentUnit') platform.setFaults({ rules: [rule] });
          },
        }),
      );
      const { evidence } = found.measured.facts[`refusals.${name}`] ?? {};
      expect(evidence).toContain(`${code} of other errors`);
    },
  );

  it('takes no refusal that comes once for a lost interaction', async () => {
    const windows = ['answerWindowMs', 'ackStopsExpiry', 'deferredWindowMs'];
    const unknown = [...UNREACHABLE, ...windows, 'refusals.interactionGone'];
    const { found } = await expectRecovered(PROFILES.hasty, unknown, ({ platform }) => ({
      onFact(fact) {
        const status = { type: 'status', status: 400, code: 'bot_once' } as const;
        const rule = { name: 'x', on: { request: 'interactions.ack' }, do: status, times: 1 };
        if (fact === 'contentUnit') platform.setFaults({ rules: [rule] });
      },
    }));
    const { evidence } = found.measured.facts['refusals.interactionGone'] ?? {};
    expect(evidence).toContain('contradictory');
  });

  it('does not take the status of a second answer without a code if other errors have it', async () => {
    const profile = { refusals: { alreadyAnswered: { status: 400, code: '' } } };
    const unknown = [...UNREACHABLE, 'refusals.alreadyAnswered'];
    const { found } = await expectRecovered(profile, unknown, ({ platform }) => ({
      onFact(fact) {
        const status = { type: 'status', status: 400, code: '' } as const;
        const rule = { name: 'x', on: { request: 'reactions.add' }, do: status, times: 1 };
        if (fact === 'contentUnit') platform.setFaults({ rules: [rule] });
      },
    }));
    expect(found.measured.facts['refusals.alreadyAnswered']?.['evidence']).toContain(
      '400 of other',
    );
  });

  describe('on a platform that answers commands as another author', () => {
    /**
     * Shows answers to commands with another author, in events, responses and lists. With `isCopied`, a user copies each answer, and
     * only the copy has an event.
     */
    const asAnother = ({ platform }: Place, isCopied = false): Given => {
      const answers = new Set<unknown>();
      let isAnswering = false;
      const shown = (message: object): object =>
        answers.has(Object(message).id) ? { ...message, authorId: 'webhook' } : message;
      return {
        onFact: (name) => void (isAnswering ||= name === 'closes.badToken'),
        WebSocket: class extends platform.WebSocket {
          override emit(event: string, ...given: readonly unknown[]): boolean {
            const text = String(given[0]);
            if (event !== 'message' || !isAnswering || !text.includes('MESSAGE_CREATE'))
              return super.emit(event, ...given);
            type Shown = Readonly<Record<'id' | 'authorId' | 'content', string>>;
            const frame = JSON.parse(text) as { readonly d: Shown };
            if (text.includes('"probe-')) answers.add(frame.d.id);
            if (isCopied && frame.d.authorId === platform.snapshot().bot.botUserId) {
              platform.sendMessage({ content: frame.d.content });
              return true;
            }
            const sent = Buffer.from(JSON.stringify({ ...frame, d: shown(frame.d) }));
            return super.emit(event, sent, ...given.slice(1));
          }
        },
        rewrite(_, body) {
          const { id, messages } = Object(body) as { id?: string; messages?: readonly object[] };
          if (messages) return { ...Object(body), messages: messages.map(shown) };
          return answers.has(id) ? shown(Object(body)) : undefined;
        },
      };
    };

    it.each(['message', 'empty'] as const)(
      'deletes its answers after responses of the form %s, and leaves copies by users',
      async (messageResponse) => {
        const place = await startPlatform({ ...PROFILES.hasty, messageResponse });
        const { platform } = place;
        const given = asAnother(place);
        const found = await probe(place, {
          ...given,
          onFact(name) {
            given.onFact?.(name);
            const own = place.view().shown.find(({ content }) => content.startsWith('probe-'));
            if (name === 'commandUser' && own) platform.sendMessage({ content: own.content });
          },
        });
        expect(found?.measured.facts['refusals.alreadyAnswered']?.['value']).toBeDefined();
        const left = place.view().shown.slice(place.before.shown.length);
        const people = platform.snapshot().bot.botUserId;
        expect(left.map(({ authorId }) => authorId === people)).toEqual([false]);
        expect(hasMarker(place.root)).toBe(false);
      },
    );

    it('leaves an answer and its copy if it cannot distinguish them, and says so', async () => {
      const place = await startPlatform({ ...PROFILES.hasty, messageResponse: 'empty' });
      await expect(probe(place, asAnother(place, true))).rejects.toThrow('a user has copied');
      const left = place.view().shown.slice(place.before.shown.length);
      const contents = left.map(({ content }) => content);
      expect(contents.length).toBe(2 * new Set(contents).size);
      expect(hasMarker(place.root)).toBe(true);
    });

    it('deletes them at the next run if it was killed', async () => {
      const place = await startPlatform({ ...PROFILES.hasty, messageResponse: 'empty' });
      const given = asAnother(place);
      let isKilled = false;
      await probe(place, {
        ...given,
        isKilled: () => isKilled,
        onFact(name) {
          given.onFact?.(name);
          isKilled ||= name === 'commandUser';
        },
      });
      expect(place.view().shown.length).toBeGreaterThan(place.before.shown.length + 2);
      // The next run answers no command: its messages have the author of the bot.
      const { WebSocket } = place.platform;
      await probe(place, { ...given, WebSocket, has: [], marker: 'probe-next' });
      expectAsBefore(place);
    });
  });

  it.each([true, false])(
    'leaves copies of its messages by another bot that arrive first, own events: %s',
    async (hasEvents) => {
      const place = await startPlatform({ ...PROFILES.hasty, messageResponse: 'empty' });
      const { platform } = place;
      const copied = new Set<unknown>();
      await probe(place, {
        has: [],
        WebSocket: class extends platform.WebSocket {
          override emit(event: string, ...given: readonly unknown[]): boolean {
            const text = String(given[0]);
            if (event !== 'message' || !text.includes('MESSAGE_CREATE'))
              return super.emit(event, ...given);
            const { d } = JSON.parse(text) as { readonly d: { id: string; content?: string } };
            const isOwn = d.content?.startsWith('probe-') && !copied.has(d.content);
            if (!isOwn) return super.emit(event, ...given);
            copied.add(d.content);
            platform.sendMessage({ content: String(d.content) });
            return hasEvents ? super.emit(event, ...given) : true;
          }
        },
      });
      expect(copied.size).toBeGreaterThan(1);
      const left = place.view().shown.slice(place.before.shown.length);
      expect(left.map(({ content }) => content)).toEqual([...copied]);
      expect(hasMarker(place.root)).toBe(false);
    },
  );

  it('deletes messages of a killed run that a list does not show yet', async () => {
    const place = await startPlatform(PROFILES.hasty);
    let isKilled = false;
    const onFact = (name: string): void => void (isKilled ||= name === 'attachmentsMax');
    await probe(place, { onFact, isKilled: () => isKilled });
    expect(place.view().shown.length).toBeGreaterThan(place.before.shown.length);
    await probe(place, {
      has: [],
      marker: 'probe-next',
      rewrite(_, body) {
        const { messages } = Object(body) as { readonly messages?: readonly object[] };
        const isOld = (one: object): boolean => !String(Object(one).content).startsWith('probe-0');
        return messages && { ...Object(body), messages: messages.filter(isOld) };
      },
    });
    expectAsBefore(place);
  });

  it.each([403, 404])(
    'writes nothing where the bot may not read messages, and keeps an earlier journal: %i',
    async (status) => {
      const place = await startPlatform(PROFILES.hasty);
      let isKilled = false;
      const kill = (name: string): void => void (isKilled ||= name === 'messageResponse');
      await probe(place, { onFact: kill, isKilled: () => isKilled });
      const { counts } = place.platform;
      const before = Number(counts.requests['messages.send']);
      refuse(place, 'messages.list', { status });
      const refused = { code: 'E_API_REFUSED', details: { status } };
      await expect(probe(place)).rejects.toMatchObject(refused);
      expect(counts.requests['messages.send']).toBe(before);
      expect(hasMarker(place.root)).toBe(true);
      place.platform.setFaults({ rules: [] });
      await probe(place, { has: [], marker: 'probe-next' });
      expectAsBefore(place);
    },
  );

  it('says that messages may remain in an earlier channel that it cannot read', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const { botUserId } = place.platform.snapshot().bot;
    const journal = { channelId: botUserId, marker: 'probe-0123456789ab', messages: {} };
    const file = join(place.root, '.virgule', `probe-${botUserId}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(journal));
    place.platform.setFaults({
      rules: [
        {
          name: 'no',
          on: { request: 'messages.list' },
          do: { type: 'status', status: 403 },
          skip: 1,
        },
      ],
    });
    await expect(probe(place)).rejects.toMatchObject({
      message: expect.stringMatching(/may remain .*403/),
      hint: expect.stringContaining('that begin with probe-0123456789ab'),
    });
    expect(hasMarker(place.root)).toBe(true);
    place.platform.setFaults({ rules: [] });
    // A channel that is not found may only be hidden.
    await expect(probe(place)).rejects.toThrow(/may remain .*404/);
    expect(hasMarker(place.root)).toBe(true);
    rmSync(file);
    await probe(place, { has: [] });
    expectAsBefore(place);
  });

  it('keeps its journal until a message without an answer was found', async () => {
    const place = await startPlatform({ messageResponse: 'empty' });
    const on = { request: 'messages.send' };
    const lost = { type: 'status', status: 504, after: true } as const;
    place.platform.setFaults({ rules: [{ name: 'lost', on, do: lost, times: 1 }] });
    let hides = true;
    const rewrite = (_: string, body: unknown): unknown => {
      const { messages } = Object(body) as { readonly messages?: readonly object[] };
      const isOld = (one: object): boolean => !String(Object(one).content).startsWith('probe-0');
      return hides && messages && { ...Object(body), messages: messages.filter(isOld) };
    };
    const ran = probe(place, { has: [], rewrite, WebSocket: withoutMessages(place) });
    await expect(ran).rejects.toThrow(/may remain .* were not found/);
    expect(hasMarker(place.root)).toBe(true);
    hides = false;
    await probe(place, { has: [], marker: 'probe-next' });
    expectAsBefore(place);
  });

  it.each(['messages.send', 'interactions.respond'])(
    'keeps its journal if a message of %s, which has no answer, is not found among others',
    async (request) => {
      const place = await startPlatform({});
      const lost = { type: 'status', status: 504 } as const;
      place.platform.setFaults({ rules: [{ name: 'lost', on: { request }, do: lost, times: 1 }] });
      await expect(probe(place)).rejects.toThrow('1 were not found');
      expect(hasMarker(place.root)).toBe(true);
      expect(place.view()).toEqual(place.before);
    },
  );

  it('takes no message of users with only files for one of a killed run', async () => {
    const place = await startPlatform({});
    const { botUserId } = place.platform.snapshot().bot;
    const lost = { type: 'status', status: 504 } as const;
    const on = { request: 'messages.send' };
    place.platform.setFaults({ rules: [{ name: 'lost', on, do: lost, times: 1 }] });
    await expect(probe(place)).rejects.toThrow('1 were not found');
    const withoutText = (message: object): object =>
      Object(message).authorId === botUserId ? message : { ...message, content: '' };
    const rewrite = (_: string, body: unknown): unknown => {
      const { messages } = Object(body) as { readonly messages?: readonly object[] };
      return messages && { ...Object(body), messages: messages.map(withoutText) };
    };
    await probe(place, { has: [], marker: 'probe-next', rewrite });
    expect([hasMarker(place.root), place.view()]).toEqual([false, place.before]);
  });

  it('takes no message of other people in a response for its own', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const found = await probe(place, {
      has: [],
      rewrite: (request, body) =>
        /^POST .*\/messages$/.test(request) && 'id' in Object(body)
          ? place.before.shown.at(-1)
          : undefined,
    });
    expect(found).toBeDefined();
    expectAsBefore(place);
  });

  it('deletes no message of other people whose id is all that a response shows', async () => {
    const place = await startPlatform(PROFILES.hasty);
    await probe(place, {
      has: [],
      rewrite: (request, body) =>
        /^POST .*\/messages$/.test(request) && 'id' in Object(body)
          ? { id: place.before.shown.at(-1)?.id }
          : undefined,
    });
    // The probe's reaction stays on this message.
    const idsOf = ({ shown }: Place['before']): unknown => shown.map(({ id }) => id);
    expect(idsOf(place.view())).toEqual(idsOf(place.before));
    expect(hasMarker(place.root)).toBe(false);
  });

  it('knows that a message which was never sent does not exist', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const limited = { type: 'status', status: 429, retryAfter: 600 } as const;
    const on = { request: 'messages.send' };
    place.platform.setFaults({ rules: [{ name: 'limited', on, do: limited, times: 1 }] });
    await expect(probe(place, { has: [] })).resolves.toBeDefined();
    expectAsBefore(place);
  });

  it('waits for a message of a killed run that the platform stores later', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const { clock, platform } = place;
    const as = platform.snapshot().bot.botUserId;
    let isKilled = false;
    await probe(place, {
      has: [],
      WebSocket: withoutMessages(place),
      isKilled: () => isKilled,
      rewrite: (request) => void (isKilled ||= /^POST .*\/messages$/.test(request)),
    });
    const { id, content = '' } = place.view().shown.at(-1) ?? {};
    const { status } = await platform.request({
      method: 'DELETE',
      path: `/api/bot/v1/channels/${platform.channel().id}/messages/${id}`,
      headers: { authorization: `Bot ${platform.token}`, host: 'localhost' },
      body: Buffer.from(''),
    });
    expect(status).toBeLessThan(300);
    clock.setTimeout(() => platform.sendMessage({ content, as }), 80_000);
    const waits: number[] = [];
    await probe(place, { has: [], marker: 'probe-next', onWait: (ms) => waits.push(ms) });
    expect(waits).toEqual([expect.toSatisfy((ms: number) => ms > 140_000 && ms <= 150_000)]);
    await clock.advance(20_000);
    expectAsBefore(place);
  });

  it('ends if another process writes as the bot during an upload', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const { platform } = place;
    const as = platform.snapshot().bot.botUserId;
    let isWritten = false;
    const rewrite = (request: string): undefined => {
      if (isWritten || !request.endsWith('/attachments/upload-session')) return;
      isWritten = true;
      platform.sendMessage({ content: 'real message', as });
    };
    await expect(probe(place, { has: [], rewrite })).rejects.toThrow('another process answers');
  });

  it.each([
    ['content', { content: undefined }],
    ['author', { authorId: undefined }],
    ['content as written', { content: 'Bot: probe-0123456789ab' }],
  ])(
    'says that it cannot find messages of a killed run in a list without their %s',
    async (_, shown) => {
      const place = await startPlatform({ messageResponse: 'empty' });
      let isKilled = false;
      const onFact = (name: string): void => void (isKilled ||= name === 'contentUnit');
      await probe(place, { onFact, isKilled: () => isKilled, WebSocket: withoutMessages(place) });
      const next = {
        has: [],
        marker: 'probe-next',
        rewrite(_request: string, body: unknown) {
          const { messages } = Object(body) as { readonly messages?: readonly object[] };
          const hide = (one: object): object =>
            String(Object(one).content).startsWith('probe-') ? { ...one, ...shown } : one;
          return messages && { ...Object(body), messages: messages.map(hide) };
        },
      };
      await expect(probe(place, next)).rejects.toThrow('were not found');
      expect(hasMarker(place.root)).toBe(true);
    },
  );

  it.each(['', 'text', '{}', '{"marker":"","messages":{}}'])(
    'deletes nothing if its journal is %j',
    async (text) => {
      const place = await startPlatform(PROFILES.hasty);
      const { botUserId } = place.platform.snapshot().bot;
      const file = join(place.root, '.virgule', `probe-${botUserId}`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      await expect(probe(place)).rejects.toThrow(`probe-${botUserId} is not a file of the probe`);
      expect(place.platform.counts.requests['messages.delete']).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );

  it('does not overwrite a platform.json that was changed during the run', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const file = join(place.root, 'platform.json');
    writeFileSync(file, '{"pageMax":7}');
    const ran = probe(place, {
      has: [],
      onFact: (name) => void (name === 'pageMax' && writeFileSync(file, '{"pageMax":8}')),
    });
    await expect(ran).rejects.toThrow('it was changed during the run');
    expect(readFileSync(file, 'utf8')).toBe('{"pageMax":8}');
    expect(JSON.parse(readFileSync(`${file}.new`, 'utf8'))).toMatchObject({ attachmentsMax: 3 });
    expectAsBefore(place);
  });

  it('reports that the call of the user was refused', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const found = await probe(place, {
      async runCommand() {
        throw new Error('BOT_USER_TOKEN was refused with 401');
      },
    });
    for (const name of ['commandUser', 'answerWindowMs'])
      expect(found?.measured.facts[name]?.['evidence']).toBe('BOT_USER_TOKEN was refused with 401');
  });

  it('knows no window that contains an unknown answer', async () => {
    const place = await startPlatform({ deferredWindowMs: 20_000 });
    let acks = 0;
    const found = await probe(place, {
      onFact(name) {
        if (name === 'ackStopsExpiry') {
          const on = { request: 'interactions.ack' };
          const status = { type: 'status' as const, status: 403, code: 'bot_fault' };
          place.platform.setFaults({ rules: [{ name: 'x', on, do: status, skip: 1, times: 4 }] });
          acks += 1;
        }
      },
    });
    expect(acks).toBe(1);
    expect(found).not.toHaveProperty('deferredWindowMs');
  });

  it('deletes a message that was in flight when it was interrupted', async () => {
    const place = await startPlatform({});
    const { clock, platform } = place;
    const on = { request: 'messages.send' };
    platform.setFaults({
      rules: [{ name: 'slow', on, do: { type: 'delay', ms: 20_000 }, times: 1 }],
    });
    const stop = new AbortController();
    clock.setTimeout(() => stop.abort(new Error('interrupted')), 5_000);
    await expect(probe(place, { signal: stop.signal })).rejects.toThrow('interrupted');
    await clock.advance(60_000);
    expectAsBefore(place);
  });

  it('writes no more messages after it was interrupted', async () => {
    const place = await startPlatform({});
    const { requests } = place.platform.counts;
    const stop = new AbortController();
    let before: unknown;
    const rewrite = (request: string): undefined => {
      if (!request.endsWith('/attachments/upload-session') || stop.signal.aborted) return;
      before = requests['messages.send'];
      stop.abort(new Error('interrupted'));
    };
    const ran = probe(place, { has: [], signal: stop.signal, rewrite });
    await expect(ran).rejects.toThrow('interrupted');
    expect(requests['messages.send']).toBe(before);
    expect(requests['attachments.openUpload']).toBe(1);
    expectAsBefore(place);
  });

  describe('on a platform whose list of commands cannot be trusted', () => {
    const isList = (request: string): boolean => request === 'GET /api/bot/v1/commands';
    const puts = ({ platform }: Place): unknown => platform.counts.requests['commands.replace'];

    it.each([
      ['nothing', () => []],
      [
        'fields that it would lose',
        (all: unknown[]) => all.map((one) => ({ ...Object(one), enabled: false })),
      ],
      ['something else each time', (all: unknown[], count: number) => all.slice(count)],
    ])('registers nothing where it lists %s', async (_, list) => {
      const place = await startPlatform(PROFILES.hasty);
      let count = 0;
      const found = await probe(place, {
        has: ['--write-commands'],
        rewrite: (request, body) =>
          isList(request) && Array.isArray(body) ? list(body, count++) : undefined,
      });
      expect(found?.measured.facts['syncResponse']?.['evidence']).toMatch(
        /could lose commands|differs each time/,
      );
      expect(puts(place)).toBe(1);
      expectAsBefore(place);
    });

    it('does not lose a deploy that a cached list does not show for 30 s', async () => {
      const place = await startPlatform(PROFILES.hasty);
      let cached: { readonly body: unknown; readonly atMs: number } | undefined;
      const found = await probe(place, {
        has: ['--write-commands'],
        rewrite(request, body) {
          if (!isList(request)) return undefined;
          const nowMs = place.clock.now();
          if (!cached) void place.register([{ name: 'new', description: 'New', options: [] }]);
          if (!cached || nowMs - cached.atMs > 30_000) cached = { body, atMs: nowMs };
          return cached.body;
        },
      });
      expect(found?.measured.facts['syncResponse']?.['evidence']).toMatch(/could lose commands/);
      expect(place.view().names).toEqual(['new']);
    });

    it('does not lose a deploy while the platform holds its call back', async () => {
      const place = await startPlatform(PROFILES.hasty);
      const held = { type: 'status', status: 429, retryAfter: 15 } as const;
      const on = { request: 'commands.replace' };
      const ran = probe(place, {
        has: ['--write-commands'],
        rewrite(request) {
          if (request !== 'PUT /api/bot/v1/commands') return undefined;
          place.platform.setFaults({ rules: [] });
          return void place.register([{ name: 'new', description: 'New', options: [] }]);
        },
        onFact: (name) =>
          void (
            name === 'closes.badToken' &&
            place.platform.setFaults({ rules: [{ name: 'held', on, do: held }] })
          ),
      });
      await expect(ran).rejects.toThrow('the registered commands have changed');
      expect(place.view().names).toEqual(['new']);
    });

    it('leaves commands that someone else has registered in the meantime', async () => {
      const place = await startPlatform(PROFILES.hasty);
      let lists = 0;
      const ran = probe(place, {
        has: ['--write-commands'],
        rewrite: (request, body) =>
          isList(request) && (lists += 1) === 3
            ? [{ ...Object([body].flat()[0]), name: 'other' }]
            : undefined,
      });
      await expect(ran).rejects.toThrow('the registered commands have changed');
      expect(puts(place)).toBe(2);
    });

    it.each([[[]], [[500]]])(
      'registers the first list again if a later one differs %j',
      async (fails) => {
        const place = await startPlatform(PROFILES.hasty);
        const on = { request: 'commands.replace' };
        const rules = fails.map((status) => ({
          name: 'x',
          on,
          do: { type: 'status' as const, status },
          times: 1,
        }));
        place.platform.setFaults({ rules });
        let lists = 0;
        const ran = probe(place, {
          has: ['--write-commands'],
          rewrite: (request) => (isList(request) && (lists += 1) === 3 ? [] : undefined),
        });
        await expect(ran).rejects.toThrow('the registered commands have changed');
        expect(puts(place)).toBe(3);
        expect(place.view()).toEqual(place.before);
        // The next run compares them.
        await probe(place, { has: [] });
        expectAsBefore(place);
      },
    );

    it('does not say that the commands changed if they cannot be read', async () => {
      const place = await startPlatform(PROFILES.hasty);
      let lists = 0;
      const ran = probe(place, {
        has: ['--write-commands'],
        rewrite(request) {
          if (isList(request) && (lists += 1) === 2)
            refuse(place, 'commands.list', { status: 403 });
          return undefined;
        },
      });
      await expect(ran).rejects.toThrow('the registered commands could not be read');
      // Someone else may have registered commands since.
      expect(puts(place)).toBe(2);
      expect(place.view()).toEqual(place.before);
      expect(hasMarker(place.root)).toBe(true);
    });

    it('registers the commands again although another process answers as the bot', async () => {
      const place = await startPlatform(PROFILES.hasty);
      const { platform } = place;
      let lists = 0;
      const ran = probe(place, {
        has: ['--write-commands'],
        rewrite(request) {
          if (!isList(request) || (lists += 1) !== 3) return undefined;
          platform.sendMessage({ content: 'by the bot', as: platform.snapshot().bot.botUserId });
          return [];
        },
      });
      await expect(ran).rejects.toThrow('they were registered once more');
      expect(puts(place)).toBe(3);
    });

    it('says that commands may be missing if they cannot be registered again', async () => {
      const place = await startPlatform(PROFILES.hasty);
      let lists = 0;
      const ran = probe(place, {
        has: ['--write-commands'],
        rewrite(request) {
          if (!isList(request) || (lists += 1) < 3) return undefined;
          refuse(place, 'commands.replace', { status: 500 });
          return [];
        },
      });
      await expect(ran).rejects.toThrow('could not be registered again');
      // The commands are kept, and nothing is registered before someone has seen them.
      const file = `probe-${place.platform.snapshot().bot.botUserId}`;
      const kept: unknown = JSON.parse(readFileSync(join(place.root, '.virgule', file), 'utf8'));
      const commands = place.platform.snapshot().commands.map(({ name }) => ({ name }));
      expect(kept).toMatchObject({ commands });
      place.platform.setFaults({ rules: [] });
      const before = puts(place);
      const next = probe(place, {
        has: ['--write-commands'],
        rewrite: (request) => (isList(request) ? [] : undefined),
      });
      await expect(next).rejects.toMatchObject({ hint: expect.stringContaining(file) });
      expect(puts(place)).toBe(before);
    });
  });

  it.each([
    ['null', null, null],
    ['below zero', -5, -5],
    ['zero', 0, 0],
    ['a string', '25 MB', '25 MB'],
    ['contradictory', 10, 20],
  ])('keeps no value that is %s', async (_, even, odd) => {
    const place = await startPlatform(PROFILES.hasty);
    let count = 0;
    const found = await probe(place, {
      has: [],
      rewrite: (request, body) =>
        request.endsWith('/attachments/upload-session')
          ? { ...Object(body), maxBytes: (count += 1) % 2 ? odd : even }
          : undefined,
    });
    const { confidence, evidence } = found?.measured.facts['uploadMaxBytes'] ?? {};
    expect(confidence).toBe('not-reachable');
    expect(evidence).toContain(even === odd ? JSON.stringify(even) : 'contradictory: 20, 10');
    expect(found).not.toHaveProperty('uploadMaxBytes');
    const { problems } = readConfig({ profile: found }, { file: 'platform.json' });
    expect(problems).toEqual([]);
  });

  it('takes no failure of the platform for a refusal', async () => {
    const place = await startPlatform(PROFILES.hasty);
    for (const status of [500, 503, 408]) {
      refuse(place, 'interactions.ack', { status });
      const found = await probe(place, { has: [] });
      expect(found?.measured.facts['refusals.interactionGone']).toMatchObject({
        confidence: 'not-reachable',
      });
    }
  });

  it('counts only files that are refused as invalid', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const found = await probe(place, {
      has: [],
      onFact(name) {
        if (name === 'pageMax') refuse(place, 'messages.send', { status: 403, times: 3 });
      },
    });
    expect(found).not.toHaveProperty('attachmentsMax');
  });

  it('knows no unit of a length without a limit', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const found = probe(place, {
      has: [],
      rewrite: (_, body) => (Object(body).code === 'bot_validation_error' ? {} : undefined),
    });
    // The simulator has no such messages to delete.
    await expect(found).rejects.toThrow('were not found');
    const written: unknown = JSON.parse(readFileSync(join(place.root, 'platform.json'), 'utf8'));
    expect(written).not.toHaveProperty('contentUnit');
  });

  it('keeps facts of an earlier result that it does not find again, with their time', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const first = await probe(place, { has: [] });
    refuse(place, 'messages.send', { status: 403 });
    const shown: string[] = [];
    const next = await probe(place, { has: [], onFact: (name) => shown.push(name) });
    const fact = first?.measured.facts['messageResponse'];
    expect(next?.measured.facts['messageResponse']).toEqual({ ...fact, at: first?.measured.at });
    expect(next).toMatchObject({ messageResponse: 'id', attachmentsMax: 3 });
    expect(shown.filter((name) => name === 'messageResponse')).toHaveLength(2);
  });

  it('drops earlier facts that it disproves, and keeps facts that nothing shows', async () => {
    const place = await startPlatform({
      refusals: { interactionGone: { status: 200, code: '' } },
      attachmentsMax: 50,
      pageMax: 200,
    });
    const settings = {
      answerWindowMs: 5_000,
      refusals: { interactionGone: { status: 410, code: 'bot_gone' } },
      pageMax: 100,
      attachmentsMax: 10,
      uploadMaxBytes: 7,
    };
    const facts = Object.fromEntries(
      Object.entries({
        ...settings,
        'refusals.interactionGone': settings.refusals.interactionGone,
      }).map(([name, value]) => [name, { value, confidence: 'measured', evidence: 'earlier' }]),
    );
    const at = '2026-01-01T00:00:00.000Z';
    const file = join(place.root, 'platform.json');
    writeFileSync(file, JSON.stringify({ ...settings, measured: { at, facts } }));
    let count = 0;
    const found = await probe(place, {
      has: [],
      rewrite: (request, body) =>
        request.endsWith('/attachments/upload-session')
          ? { ...Object(body), maxBytes: (count += 1) }
          : undefined,
    });
    expect(found).toMatchObject({ answerWindowMs: 5_000 });
    expect(found?.measured.facts['answerWindowMs']).toEqual({ ...facts['answerWindowMs'], at });
    for (const name of ['refusals.interactionGone', 'pageMax', 'attachmentsMax', 'uploadMaxBytes'])
      expect(found?.measured.facts[name]).toMatchObject({ confidence: 'not-reachable' });
    const dropped = ['refusals.interactionGone', 'pageMax', 'attachmentsMax', 'uploadMaxBytes'];
    for (const name of dropped) expect(found).not.toHaveProperty(name);
    expect(found?.measured.facts['attachmentsMax']?.['evidence']).toContain('12 or more');
  });

  it.each([
    ['answerWindowMs', 100],
    ['answerWindowMs', 70_000],
    ['deferredWindowMs', 4_000],
    ['deferredWindowMs', 1_400_000],
  ])('drops an earlier value of %s if that is now %i', async (name, value) => {
    const place = await startPlatform({ [name]: value });
    const measured = { facts: { [name]: { value: 20_000, confidence: 'measured' } } };
    writeFileSync(join(place.root, 'platform.json'), JSON.stringify({ [name]: 20_000, measured }));
    const found = await probe(place);
    expect(found).not.toHaveProperty(name);
    expect(found?.measured.facts[name]?.['evidence']).toContain('outside');
  });

  it('keeps settings that were written by hand, unless it measures their value', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const boundsMs = { min: 500, max: 90_000 };
    const settings = {
      answerWindowMs: 4_000,
      heartbeat: { boundsMs },
      identifies: { perMinute: 2 },
      editIntervalMs: 700,
    };
    const file = join(place.root, 'platform.json');
    const written = {
      ...settings,
      pageMax: 7,
      measured: { facts: { answerWindowMs: { value: 1 } } },
    };
    writeFileSync(file, JSON.stringify(written));
    for (const marker of ['probe-first', 'probe-second']) {
      const found = await probe(place, { has: [], marker });
      expect(found).toMatchObject({ ...settings, pageMax: PROFILES.hasty.pageMax });
      expect(found?.measured.facts['editIntervalMs']?.['value']).toBeUndefined();
    }
  });

  it.each([undefined, 'another'])(
    'does not pass over messages whose author is %s',
    async (authorId) => {
      const place = await startPlatform({ ...PROFILES.hasty, messageResponse: 'empty' });
      const omit = { type: 'omit', fields: ['authorId', 'content'] } as const;
      place.platform.setFaults({
        rules: [{ name: 'events', on: { frame: 'MESSAGE_CREATE' }, do: omit }],
      });
      const rewrite = (_: string, body: unknown): unknown => {
        const { messages } = Object(body) as { readonly messages?: readonly object[] };
        const withAuthor = (message: object) => ({ ...message, authorId });
        return messages && { ...Object(body), messages: messages.map(withAuthor) };
      };
      await expect(probe(place, { has: [], rewrite })).rejects.toThrow('may remain');
      expect(hasMarker(place.root)).toBe(true);
      place.platform.setFaults({ rules: [] });
      await probe(place, { has: [], marker: 'probe-next' });
      expectAsBefore(place);
    },
  );

  it.each([
    [2_900, 22_000, 2_875, 20_000],
    [3_950, 20_000, 3_937, 20_000],
    [3_000, 20_000, 3_000, 20_000],
  ])('states no longer window than %i and %i ms', async (answer, deferred, first, second) => {
    const place = await startPlatform({ answerWindowMs: answer, deferredWindowMs: deferred });
    const found = await probe(place, {
      async runCommand({ id, name }) {
        // The call of the user takes some time to arrive.
        await place.clock.sleep(2_000);
        await runAsUser(place, id, `/${name}`);
      },
    });
    expect(found).toMatchObject({ answerWindowMs: first, deferredWindowMs: second });
  });

  it('ends if another process answers as the bot, and leaves its answer', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const { platform } = place;
    const ran = probe(place, {
      async runCommand({ name }) {
        const { id } = platform.run({ rawInput: `/${name}`, channel: 'general' });
        const { status } = await platform.request({
          method: 'POST',
          path: `/api/bot/v1/interactions/${id}/response`,
          headers: { authorization: `Bot ${platform.token}`, host: 'localhost' },
          body: Buffer.from('{"content":"real answer"}'),
        });
        expect(status).toBe(200);
      },
    });
    await expect(ran).rejects.toThrow('another process answers as this bot');
    const own = place.view().shown.slice(place.before.shown.length);
    expect(own.map(({ content }) => content)).toEqual(['real answer']);
    expect(hasMarker(place.root)).toBe(false);
  });

  it.each([[['content']], [['authorId']], [['content', 'authorId']]])(
    'takes an event without %j for no sign of another process',
    async (fields) => {
      const place = await startPlatform(PROFILES.hasty);
      const on = { frame: 'MESSAGE_CREATE' };
      place.platform.setFaults({ rules: [{ name: 'less', on, do: { type: 'omit', fields } }] });
      const found = await probe(place, {
        has: [],
        onFact: () => void place.platform.sendMessage({ content: 'people' }),
      });
      expect(found?.measured.facts['messageResponse']?.['value']).toBe('id');
      expect(hasMarker(place.root)).toBe(false);
    },
  );

  it('takes no deleted message in a list for one that remains', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const deleted: object[] = [];
    const rewrite = (_: string, body: unknown): unknown => {
      const { messages } = Object(body) as { readonly messages?: readonly object[] };
      for (const message of place.platform.messages())
        if (message.content.startsWith('probe-')) deleted.push({ ...message, isDeleted: true });
      return messages && { ...Object(body), messages: [...deleted.slice(0, 2), ...messages] };
    };
    expect(await probe(place, { has: [], rewrite })).toBeDefined();
    expect(hasMarker(place.root)).toBe(false);
  });

  it.each([{}, { authorId: undefined }])(
    'says that its messages were not deleted %j',
    async (as) => {
      const place = await startPlatform(PROFILES.hasty);
      let left: object | undefined;
      const rewrite = (_: string, body: unknown): unknown => {
        const { messages } = Object(body) as { readonly messages?: readonly object[] };
        left ??= place.platform.messages().find(({ content }) => content.startsWith('probe-'));
        return messages && left && { ...Object(body), messages: [{ ...left, ...as }, ...messages] };
      };
      await expect(probe(place, { has: [], rewrite })).rejects.toThrow('1 were not deleted');
      expect(hasMarker(place.root)).toBe(true);
    },
  );

  it('leaves an earlier file where the new one cannot be written', async () => {
    const place = await startPlatform(PROFILES.hasty);
    const file = join(place.root, 'platform.json');
    writeFileSync(file, '{"pageMax":7}');
    mkdirSync(`${file}.new`);
    await expect(probe(place, { has: [] })).rejects.toThrow('platform.json cannot be replaced');
    expect(readFileSync(file, 'utf8')).toBe('{"pageMax":7}');
    expectAsBefore(place);
  });

  it.skipIf(!existsSync('/dev/shm'))(
    'writes the file although .virgule is on another disk',
    async () => {
      const place = await startPlatform(PROFILES.hasty);
      const other = mkdtempSync('/dev/shm/virgule-probe-');
      onTestFinished(() => rmSync(other, { recursive: true }));
      symlinkSync(other, join(place.root, '.virgule'));
      await probe(place, { has: [] });
      expect(readdirSync(place.root).toSorted()).toEqual(['.virgule', 'platform.json']);
      expect(readdirSync(other)).toEqual([]);
    },
  );

  function openLab() {
    const channelId = 'channel';
    const options = { channelId, marker: 'probe-1', clock: createFakeClock(), log: silentLog };
    const given = { ...options, baseUrl: 'http://localhost:1', token: 'the-token-of-letters' };
    const lab = new Lab(given as unknown as LabOptions);
    onTestFinished(() => lab.rest.close());
    return { lab, channelId };
  }

  it('keeps names of fields, but nothing that may be private, and not all of thousands', () => {
    const { lab } = openLab();
    const id = '83BA8B7D-6e2b-587e-b14b-35a578797a63';
    lab.see('servers.list', [{ id, name: 'x', memberCount: 3 }, { id }]);
    lab.see('odd', { [id]: 'Ada', 'my words': 2, number: 987_654, status: 4, maxBytes: 1e15 });
    lab.see('keys', { Abcdef0123456789: 1, badc0debadc0debad: 2, u99887766: 3, channelTypes2: 4 });
    lab.see('styles', { user_id: 1, 'user-id': 2, $type: 3, '@id': 4, _id: 5, '10062': 6 });
    for (const name of [`DM_${id}`, 'USER_99887766_ONLINE', 'none of Ada']) lab.see(name, { a: 1 });
    lab.see('many', Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, ''])));
    lab.see('text', 'words of Ada');
    lab.see('ids', [id, id]);
    lab.see('nested', [[{ a: 1 }]]);
    lab.see('signed', { maxBytes: -1e15 });
    for (const code of ['10062', 'errors/gone', 'no:ada.love@example.com', `a:${id}`, '1234567'])
      lab.see(`error ${code}`, { status: code });
    for (const body of [[], [null, { a: 1 }], { b: 2 }]) lab.see('late', body);
    lab.see('none', []);
    lab.see('constructor', { a: 1 });
    for (let at = 0; at < 200; at += 1) lab.see(`e${at}`, {});
    const { many, ...others } = lab.bodies;
    expect(others).toMatchObject({
      'servers.list': 'id, name, memberCount',
      odd: '…, number, status 4, maxBytes',
      keys: '…, channelTypes2',
      styles: '…, user_id, user-id, $type, _id',
      text: '…',
      ids: '…',
      nested: '…',
      signed: 'maxBytes',
      'error 10062': 'status',
      'error errors/gone': 'status',
      'error …': 'status',
      late: 'a',
      none: 'empty',
      constructor: 'a',
      '…': 'a',
    });
    expect(many?.length).toBeLessThan(300);
    expect(Object.keys(lab.bodies)).toHaveLength(100);
    expect(JSON.stringify([lab.bodies, lab.notes])).not.toMatch(
      /83ba|words|Ada|98\d|c0de|1e15|-1/i,
    );
  });

  it.each([
    'mB-x_Q2tZ.Yp9-Lr4Wk_Vd7sHn-Ue3Jc6Gg_Ta8Fi0',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'V1StGXR8_Z5jdHi6B-myT',
    'ada.lovelace@example.com',
    '@ada',
    '192.168.100.200',
    '123456',
    '6e2b_587e_b14b_35a578797a63',
    '587e-b14b-35a578797a63',
    'the-token-of-letters',
  ])('shows no field or event with the name %s', (name) => {
    const { lab } = openLab();
    lab.see('body', { [name]: 1 });
    lab.see(name, {});
    expect(lab.bodies).toEqual({ body: '…', '…': 'empty' });
  });

  it('reads nothing from messages, reactions and commands of other people', () => {
    const { lab, channelId } = openLab();
    const emoji = { unicodeEmoji: '👍', kind: 'odd' };
    lab.see('MESSAGE_CREATE', { id: 'm', channelId, content: 'hi', odd: 1 });
    lab.see('MESSAGE_REACTION_ADD', { messageId: 'm', channelId, emoji });
    lab.see('APPLICATION_COMMAND', { channelId, name: 'hello', userId: 'u' });
    expect(lab.facts).toEqual({});
    lab.see('MESSAGE_CREATE', { id: 'own', channelId, content: 'probe-1 measures' });
    expect(Object.keys(lab.facts)).toEqual(['messageEvent']);
  });

  it('knows the type of voice channels only by name, and measures none of them', async () => {
    const channelTypes = { text: '0', voice: '2' };
    await expectRecovered({ channelTypes }, [...UNREACHABLE, 'channelTypes.voice']);
    const place = await startPlatform({});
    const voice = place.platform.snapshot().channels.find(({ type }) => type === 'voice');
    const refused = probe(place, { channelId: voice?.id ?? '' });
    await expect(refused).rejects.toMatchObject({ code: 'E_ARGUMENTS' });
  });
});
