import { createFakeClock } from '@virgule/core/clock';
import { resolveProfile, type Profile } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeGateway } from '../../../test/fake-gateway.js';
import { createFakeRest } from '../../../test/fake-rest.js';
import { CHANNEL, interactionId, SERVER } from '../../../test/ids.js';
import { MODEL_PROFILES, reviewCalls } from '../../../test/model-rules.js';
import { createModelPlatform, type Fate } from '../../../test/model-platform.js';
import { projectOf } from '../../../test/project-of.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { settle } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { Answer } from '../answer/answer.js';
import type { CommandDefinition } from '../define/define-command.js';
import { UserError } from '../../errors/user-error.js';
import { createBot } from '../../bot/running-bot.js';
import { runs } from '../../../../core/test/fixtures/property-runs.js';

/** Steps of a handler, one after the other. */
type Step =
  | { readonly do: 'reply' | 'edit' | 'defer' }
  /** Replies and does not wait for it. */
  | { readonly do: 'reply apart' }
  | { readonly do: 'sleep'; readonly ms: number };

type End = 'text' | 'null' | 'undefined' | 'throw' | 'user error' | 'hang';

interface Program {
  readonly steps: readonly Step[];
  readonly end: End;
  /** `true` if the replies are states of a generator. */
  readonly isGenerator: boolean;
  readonly settings: Pick<CommandDefinition, 'defer' | 'timeout' | 'silent'>;
  /** Time from the first to the second delivery of the same command, in milliseconds. */
  readonly doubledAtMs: number | undefined;
  /** Time of the shutdown of the bot, with nothing left of its budget. */
  readonly closedAtMs: number | undefined;
  /** For how long the event loop stalls after the command came. */
  readonly stallMs: number;
}

const times = fc.constantFrom(0, 1, 249, 400, 1_499, 1_500, 1_501, 2_000, 2_999, 3_001, 9_000);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<Step>({ do: 'reply' }, { do: 'edit' }) },
    { weight: 2, arbitrary: fc.constantFrom<Step>({ do: 'reply apart' }, { do: 'defer' }) },
    { weight: 4, arbitrary: times.map((ms): Step => ({ do: 'sleep', ms })) },
  ),
  { maxLength: 8 },
);
const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const programs: fc.Arbitrary<Program> = fc.record({
  steps,
  end: fc.constantFrom<End>('text', 'text', 'null', 'undefined', 'throw', 'user error', 'hang'),
  isGenerator: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  settings: fc.record({
    defer: fc.constantFrom('auto', 'auto', 'now', 'never', '500ms'),
    timeout: fc.constantFrom('15m', '15m', '1s', '4s'),
    silent: fc.boolean(),
  }),
  doubledAtMs: sometimes(times),
  closedAtMs: sometimes(times),
  stallMs: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.constantFrom(700, 3_200)),
});

const fates = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant<Fate>('arrives') },
    {
      weight: 4,
      // A 5xx, no answer at all, a 429 that is too long to wait for or no connection, a refusal, a slow line.
      arbitrary: fc.constantFrom<Fate>('answer lost', 'lost', 'not sent', 'invalid', 'late'),
    },
  ),
  { maxLength: 12 },
);

/** The handler that a program is. */
function handlerOf({ steps: list, end, isGenerator }: Program, onRun: () => void) {
  async function take(step: Step, { reply, edit, defer, clock }: CommandContext): Promise<void> {
    if (step.do === 'sleep') await clock.sleep(`${step.ms}ms`);
    else if (step.do === 'edit') await edit('edited');
    else if (step.do === 'defer') await defer();
    else if (step.do === 'reply') await reply('reply');
    else void reply('apart');
  }
  async function finish(): Promise<Answer> {
    if (end === 'throw') throw new Error('broken');
    if (end === 'user error') throw new UserError('You cannot do that.');
    if (end === 'hang') return new Promise(() => {});
    return end === 'text' ? 'text' : end === 'null' ? null : undefined;
  }
  async function* states(context: CommandContext): AsyncGenerator<string, Answer, undefined> {
    onRun();
    for (const step of list) {
      if (step.do === 'reply') yield 'state';
      else await take(step, context);
    }
    return finish();
  }
  async function plain(context: CommandContext): Promise<Answer> {
    onRun();
    for (const step of list) await take(step, context);
    return finish();
  }
  return isGenerator ? states : plain;
}

/** A timeout so late that the answer still waits for a rate limit when the bot is closed. */
const LIMITED_AT_THE_END: [Program, Fate[]] = [
  {
    steps: [],
    end: 'hang',
    isGenerator: true,
    settings: { defer: 'auto', timeout: '15m', silent: true },
    doubledAtMs: undefined,
    closedAtMs: undefined,
    stallMs: 0,
  },
  ['late', 'lost', 'arrives', 'arrives', 'not sent'],
];

async function play(program: Program, happening: readonly Fate[], profile: Profile) {
  const clock = createFakeClock();
  const platform = createModelPlatform(profile, happening, clock);
  const { rest } = createFakeRest();
  const gateway = createFakeGateway();
  const log = createRecordedLog();
  let runs = 0;
  const run = handlerOf(program, () => (runs += 1));
  const bot = createBot({
    rest: { ...rest, interactions: platform.calls },
    gateway,
    log,
    clock,
    random: () => 0.5,
    profile,
    drainMs: 0,
    project: await projectOf({
      'commands/x.ts': { default: { description: 'x', run, ...program.settings } },
    }),
  });
  await bot.connect();
  const event = {
    interactionId: interactionId(1),
    serverId: SERVER,
    channelId: CHANNEL,
    name: 'x',
    rawInput: '/x',
  };
  const receivedAtMs = clock.monotonic();
  const deliver = (): void => gateway.emit('APPLICATION_COMMAND', event, receivedAtMs);
  const window = clock.setTimeout(() => platform.passWindow(), profile.answerWindowMs);
  if (program.doubledAtMs !== undefined) clock.setTimeout(deliver, program.doubledAtMs);
  if (program.closedAtMs !== undefined)
    clock.setTimeout(() => void bot.close(), program.closedAtMs);
  deliver();
  clock.stall(program.stallMs);
  await clock.advance(16 * 60_000);
  // An answer may still wait for a rate limit that was asked for late: its end takes time.
  const closing = bot.close();
  await clock.advance(20_000);
  await closing;
  window.cancel();
  return { platform, log, runs, bot, clock };
}

/** Returns whether the user sees a result: no command is left without an answer. */
function isSettled({ shown, isExpired }: ReturnType<typeof createModelPlatform>): boolean {
  return isExpired || shown === 'answer' || shown === 'acknowledged';
}

describe('a command, whatever its handler, the platform and the clock do', () => {
  it.each(MODEL_PROFILES)(
    'ends in exactly one visible outcome: %s',
    async (_, answers) => {
      const profile = resolveProfile(answers);
      await fc.assert(
        fc.asyncProperty(programs, fates, async (program, happening) => {
          const { platform, log, runs, bot, clock } = await play(program, happening, profile);
          // Once, however often it was delivered, and one call at a time.
          expect(runs).toBe(1);
          expect(platform.answers).toBeLessThanOrEqual(1);
          expect(platform.overlap).toBeLessThanOrEqual(1);
          const { wrongs } = reviewCalls(platform.log, profile);
          expect(wrongs).toEqual([]);
          // Reported once, and correctly.
          const lines = log.lines.filter(({ details }) => 'outcome' in details);
          expect(lines).toHaveLength(1);
          const outcome = lines[0]?.details['outcome'];
          const mayErr = profile.refusals.alreadyAnswered.status === 200;
          expect(outcome === 'answered' && !mayErr ? platform.answers : 1).toBe(1);
          // Nothing hangs: where the user sees no end, a call has failed, and the log says so.
          const hasFailed = platform.log.some(({ learned }) => learned !== 'done');
          expect(isSettled(platform) || (hasFailed && hasWarning(log.lines))).toBe(true);
          expect([bot.running, clock.pending]).toEqual([0, 0]);
        }),
        { numRuns: runs(120), examples: [LIMITED_AT_THE_END] },
      );
    },
    30_000,
  );

  it('answers, or is silent on purpose, when every call arrives and its window is long enough', async () => {
    const profile = resolveProfile({ answerWindowMs: 60 * 60_000 });
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const { platform } = await play(program, [], profile);
        expect(platform.log.filter(({ learned }) => learned !== 'done')).toEqual([]);
        const endsSilently = program.end === 'null' || program.end === 'undefined';
        const writes = program.steps.some(({ do: what }) => what !== 'sleep' && what !== 'defer');
        expect(platform.answers === 1 || (endsSilently && !writes)).toBe(true);
        expect(isSettled(platform)).toBe(true);
        expect(platform.shown).not.toBe('thinking');
      }),
      { numRuns: runs(120) },
    );
  });

  it('is deferred in time on a platform that waits 3 s, whenever the event loop lets it', async () => {
    const profile = resolveProfile();
    const inTime = programs.map(({ settings, ...rest }) => ({
      ...rest,
      stallMs: 0,
      settings: { ...settings, defer: settings.defer === 'never' ? 'auto' : settings.defer },
    }));
    await fc.assert(
      fc.asyncProperty(inTime, async (program) => {
        const { platform } = await play(program, [], profile);
        expect(platform.isExpired).toBe(false);
        expect(isSettled(platform)).toBe(true);
      }),
      { numRuns: runs(120) },
    );
    await settle();
  });
});

function hasWarning(lines: readonly { readonly level: string }[]): boolean {
  return lines.some(({ level }) => level === 'error' || level === 'warn');
}
