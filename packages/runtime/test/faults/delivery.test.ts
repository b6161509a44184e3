import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../src/command/context/command-context.js';
import type { CommandDefinition } from '../../src/command/define/define-command.js';
import type { Act } from '../../../simulator/test/shared/gated-simulator.js';
import { openInteractionWorld, type InteractionWorld } from './interaction-world.js';

const limited = (seconds: number): Act => ({
  takesEffect: false,
  reply: { status: 429, headers: { 'retry-after': String(seconds) } },
});
const LOST_503: Act = { takesEffect: false, reply: { status: 503 } };
const DONE_503: Act = { reply: { status: 503 } };
const RESET_BEFORE: Act = { takesEffect: false, reply: 'reset' };

/** Decides about one request, by how long the first one of its interaction is ago. */
type Fault = (call: string, sinceMs: number, count: number) => Act | undefined;

/** The first requests of one kind fail. */
const first =
  (wanted: string, act: Act, times = 1): Fault =>
  (call, _, count) =>
    call === wanted && count < times ? act : undefined;
/** Every request fails for a time that begins with the first one. */
const allFor =
  (ms: number, act: Act): Fault =>
  (_, sinceMs) =>
    sinceMs < ms ? act : undefined;

/** Handlers that are done at once, and after the defer at 1.5 s. */
const MODES = {
  immediate: (before: () => void) => () => {
    before();
    return 'done';
  },
  deferred:
    (before: () => void) =>
    async ({ clock }: CommandContext) => {
      await clock.sleep('2500ms');
      before();
      return 'done';
    },
} as const;

type Mode = keyof typeof MODES;

interface Row {
  readonly fault: string;
  readonly act: Fault;
  /** The window of the platform is over before it can be sent. */
  readonly expires?: readonly Mode[];
}

/** Faults that last. Faults that pass are in outcomes.test.ts, for every end of a command. */
const ROWS: readonly Row[] = [
  { fault: 'the answer gets 429 for 2 s', act: first('POST response', limited(2)) },
  { fault: 'the answer gets 429 for 5 s', act: first('POST response', limited(5)) },
  { fault: 'the answer gets 429 for 40 s', act: first('POST response', limited(40)) },
  { fault: 'the answer gets 429 for 5 s three times', act: first('POST response', limited(5), 3) },
  {
    fault: 'the answer is lost, and so is the edit that settles it',
    act: (call, ...rest) =>
      first('POST response', LOST_503)(call, ...rest) ??
      first('PATCH response', LOST_503, 4)(call, ...rest),
  },
  {
    fault: 'the answer is lost, and the edit that settles it gets 429 for 1 s',
    act: (call, ...rest) =>
      first('POST response', LOST_503)(call, ...rest) ??
      first('PATCH response', limited(1))(call, ...rest),
  },
  { fault: 'the defer gets 503 and had its effect', act: first('POST defer', DONE_503, 9) },
  { fault: 'the defer is reset and had no effect', act: first('POST defer', RESET_BEFORE) },
  { fault: 'the defer gets 429 for 1 s', act: first('POST defer', limited(1)) },
  { fault: 'the defer gets 429 for 600 s', act: first('POST defer', limited(600)) },
  {
    fault: 'answer and defer get 429 for 1 s',
    act: (call, ...rest) =>
      first('POST response', limited(1))(call, ...rest) ??
      first('POST defer', limited(1))(call, ...rest),
  },
  { fault: 'everything gets 503 for 1 s', act: allFor(1_000, LOST_503) },
  {
    fault: 'everything gets 503 for 3 s',
    act: allFor(3_000, LOST_503),
    expires: ['immediate', 'deferred'],
  },
  {
    fault: 'everything but the defer gets 503 for 20 s',
    act: (call, sinceMs) => (call === 'POST defer' || sinceMs >= 20_000 ? undefined : LOST_503),
    expires: ['immediate'],
  },
  {
    fault: 'everything but the defer gets 503 for 10 s, with its effect',
    act: (call, sinceMs) => (call === 'POST defer' || sinceMs >= 10_000 ? undefined : DONE_503),
  },
  {
    fault: 'everything but the defer is reset for 20 s',
    act: (call, sinceMs) => (call === 'POST defer' || sinceMs >= 20_000 ? undefined : RESET_BEFORE),
    expires: ['immediate'],
  },
];

interface StartOptions extends Partial<Omit<CommandDefinition, 'run'>> {
  readonly random?: () => number;
  readonly act?: Fault;
  readonly run?: (world: () => InteractionWorld) => CommandDefinition['run'];
}

/** Runs /x on a platform with faults. Only its frame has come yet. */
async function start({
  act = () => undefined,
  run = () => () => 'done',
  ...settings
}: StartOptions) {
  let startMs: number | undefined;
  const counts = new Map<string, number>();
  const script = (call: string): Act | undefined => {
    const nowMs = world.clock.monotonic();
    startMs ??= nowMs;
    const count = counts.get(call) ?? 0;
    counts.set(call, count + 1);
    return act(call, nowMs - startMs, count);
  };
  const world = await openInteractionWorld({ ...settings, run: run(() => world), script });
  const seen = world.platform.run();
  const { bot, log } = world;
  const isOver = (): boolean => log.lines.some(({ details }) => 'outcome' in details);
  await world.arrive(() => expect(bot.running > 0 || isOver()).toBe(true));
  return {
    world,
    seen,
    /** Time passes until the command has ended. */
    end: (stepMs = 100) => world.push(stepMs, () => expect(isOver()).toBe(true)),
  };
}

/** The final state of a command for its users, and the errors in the log. */
function outcomeOf({ world, seen }: Awaited<ReturnType<typeof start>>) {
  const { shown, content, answers, followUps, isExpired, calls } = seen;
  // A limited answer was not processed; every other one may have been.
  const created = calls.filter((call) => /^response (?!429)/.test(call)).length;
  const errors = world.log.at('error');
  return { shown, content, answers, followUps, isExpired, isCreatedTwice: created > 1, errors };
}

const seeing = (content: string) => ({
  shown: 'answer',
  content,
  answers: 1,
  followUps: [],
  isExpired: false,
  isCreatedTwice: false,
});

const ANSWER = { ...seeing('done'), errors: [] };

const REASON = {
  shown: 'nothing',
  content: undefined,
  answers: 0,
  followUps: [],
  isExpired: true,
  isCreatedTwice: false,
  errors: [expect.stringMatching(/^\/x failed: \/x could not be answered before it expired: /)],
};

describe.each<Mode>(['immediate', 'deferred'])(
  'an answer, %s, is seen once or explained, when',
  (mode) => {
    it.each(ROWS)('$fault', async ({ act, expires }) => {
      const play = await start({ act, run: () => MODES[mode](() => {}) });
      await play.end();
      expect(outcomeOf(play)).toEqual(expires?.includes(mode) ? REASON : ANSWER);
      await play.world.end();
    });

    it.each([
      [1_000, false],
      [40_000, mode === 'immediate'],
    ])('no connection can be made for %d ms', async (ms, expires) => {
      const play = await start({
        run: (world) =>
          MODES[mode](() => {
            const comeBack = world().platform.goAway();
            world().clock.setTimeout(() => void comeBack(), ms);
          }),
      });
      await play.end();
      expect(outcomeOf(play)).toEqual(expires ? REASON : ANSWER);
      await play.world.end();
    });

    it('the first answer is never answered', async () => {
      const play = await start({
        act: first('POST response', { takesEffect: false, reply: 'stall' }),
        run: () => MODES[mode](() => {}),
      });
      await play.end();
      expect(outcomeOf(play)).toEqual(ANSWER);
      await play.world.end();
    });
  },
);

describe('an answer gets through after an outage that ends within the window', () => {
  it.each(
    [1_000, 1_500, 2_000, 2_500].flatMap((ms) =>
      [0.25, 0.5, 0.99].map((chance) => ({ ms, chance })),
    ),
  )('of $ms ms, whatever chance adds to the waits: $chance', async ({ ms, chance }) => {
    const play = await start({ act: allFor(ms, LOST_503), random: () => chance });
    await play.end(20);
    expect(outcomeOf(play)).toEqual(ANSWER);
    await play.world.end();
  });
});

describe('an answer of which the outcome is unknown', () => {
  it.each<readonly [string, Act, readonly string[]]>([
    ['is found by an edit', DONE_503, ['response 503', 'edit response 200']],
    [
      'is filled into a thinking state when it never was, and not created a second time',
      LOST_503,
      ['response 503', 'edit response 404', 'defer 200', 'edit response 200'],
    ],
  ])('%s', async (_, act, calls) => {
    const play = await start({ act: first('POST response', act) });
    await play.end();
    expect(outcomeOf(play)).toEqual(ANSWER);
    expect(play.seen.calls).toEqual(calls);
    expect(play.world.log.at('warn')).toEqual([
      'it is unknown whether the answer of /x arrived; trying to edit it',
    ]);
    await play.world.end();
  });
});

describe('a ready answer', () => {
  it('is sent before a defer that waits for its rate limit', async () => {
    const play = await start({
      act: first('POST defer', limited(4)),
      run:
        () =>
        async ({ clock }) => {
          await clock.sleep('1800ms');
          return 'done';
        },
    });
    await play.end(50);
    expect(outcomeOf(play)).toEqual(ANSWER);
    expect(play.seen.calls).toEqual(['defer 429', 'response 200']);
    expect(play.seen.agesMs[1]).toBeLessThan(2_000);
    await play.world.end();
  });

  it('is kept open by a defer while it waits for a rate limit that is longer than the window', async () => {
    const play = await start({ act: first('POST response', limited(5)) });
    await play.end(50);
    expect(outcomeOf(play)).toEqual(ANSWER);
    expect(play.seen.calls).toEqual(['response 429', 'defer 200', 'response 200']);
    expect(play.seen.agesMs[1]).toBeLessThan(500);
    await play.world.end();
  });

  it('waits for a rate limit that ends within the window without a thinking state', async () => {
    const play = await start({ act: first('POST response', limited(1)) });
    await play.end(50);
    expect(outcomeOf(play)).toEqual(ANSWER);
    expect(play.seen.calls).toEqual(['response 429', 'response 200']);
    await play.world.end();
  });
});

describe('the final reply to a deferred command', () => {
  const lost20s: Fault = (call, sinceMs) =>
    call === 'POST defer' || sinceMs >= 20_000 ? undefined : LOST_503;

  it.each<readonly [string, StartOptions, string]>([
    [
      'that failed',
      {
        run:
          () =>
          async ({ clock }) => {
            await clock.sleep('2s');
            throw new Error('broken');
          },
      },
      'Something went wrong.',
    ],
    [
      'that took too long',
      { timeout: '3s', run: () => () => new Promise(() => {}) },
      'This took too long. Please try again later.',
    ],
    [
      'that chose silence',
      {
        run:
          () =>
          async ({ clock }) => {
            await clock.sleep('2s');
            return null;
          },
      },
      'Done.',
    ],
  ])('%s come after 20 s of trouble', async (_, options, content) => {
    for (const act of [lost20s, first('POST response', limited(40))]) {
      const play = await start({ act, ...options });
      await play.end();
      expect(outcomeOf(play)).toMatchObject(seeing(content));
      await play.world.end();
    }
  });

  it('that the bot stops come within its last seconds', async () => {
    const play = await start({
      act: first('POST response', LOST_503),
      defer: 'now',
      run: () => () => new Promise(() => {}),
    });
    await play.world.push(100, () => expect(play.seen.shown).toBe('thinking'));
    void play.world.bot.close();
    await play.end();
    expect(outcomeOf(play)).toMatchObject(
      seeing('The bot is restarting. Please try again in a moment.'),
    );
    await play.world.end();
  });

  it('are abandoned when the bot has drained, which is logged', async () => {
    const play = await start({
      act: (call) => (call === 'POST defer' ? undefined : LOST_503),
      defer: 'now',
      run: () => () => 'done',
    });
    await play.world.push(100, () => expect(play.seen.calls.length).toBeGreaterThan(3));
    await play.world.end();
    expect(play.seen).toMatchObject({ shown: 'thinking', answers: 0 });
    expect(play.world.log.at('error')).toContain('the answer of /x could not be delivered');
  });
});

describe('a stream', () => {
  it('continues after a failure with its newest state, and ends with its last', async () => {
    const play = await start({
      act: (call, sinceMs) =>
        call === 'POST defer' || sinceMs < 100 || sinceMs >= 10_000 ? undefined : LOST_503,
      run: () =>
        async function* ({ clock }) {
          for (let n = 0; n < 40; n += 1) {
            yield `state ${n}`;
            await clock.sleep('500ms');
          }
        },
    });
    await play.world.push(100, () => expect(play.seen.content).toBe('state 0'));
    const shown = (): number => Number(play.seen.content?.replace('state ', ''));
    await play.world.push(100, () => expect(shown()).toBeGreaterThan(1));
    // The client may send the state again that it had; the newest one follows.
    const sinceMs = play.world.clock.monotonic();
    await play.world.push(100, () => expect(shown()).toBeGreaterThan(15));
    expect(play.world.clock.monotonic() - sinceMs).toBeLessThan(1_000);
    await play.end();
    expect(outcomeOf(play)).toMatchObject(seeing('state 39'));
    await play.world.end();
  });

  it('that fails in trouble leaves the error, not a state', async () => {
    const play = await start({
      act: (call, sinceMs) => (call === 'POST defer' || sinceMs >= 6_000 ? undefined : LOST_503),
      defer: 'now',
      run: () =>
        async function* ({ clock }) {
          yield 'Working…';
          await clock.sleep('2s');
          throw new Error('broken');
        },
    });
    await play.end();
    expect(outcomeOf(play)).toMatchObject(seeing('Something went wrong.'));
    await play.world.end();
  });
});

describe('an answer with files whose outcome is unknown', () => {
  const run: StartOptions['run'] = (world) => () => ({
    content: '',
    attachments: [world().platform.simulator.upload({ name: 'notes.txt', data: 'text' })],
  });

  it('leaves the files where they arrived', async () => {
    const play = await start({ run, act: first('POST response', DONE_503) });
    await play.end();
    expect(play.seen).toMatchObject({ answers: 1, followUps: [] });
    await play.world.end();
  });

  it('sends the files after it where it did not', async () => {
    const play = await start({ run, act: first('POST response', LOST_503) });
    await play.end();
    expect(play.seen).toMatchObject({ answers: 1, content: '📎', followUps: [''] });
    await play.world.end();
  });
});

describe('defer()', () => {
  it('does not keep a handler waiting for a rate limit', async () => {
    const play = await start({
      act: first('POST defer', limited(600)),
      run:
        () =>
        async ({ defer, clock }) => {
          await defer();
          await clock.sleep('1s');
          return 'done';
        },
    });
    await play.end();
    expect(outcomeOf(play)).toEqual(ANSWER);
    expect(play.seen.agesMs.at(-1)).toBeLessThan(2_000);
    await play.world.end();
  });
});
