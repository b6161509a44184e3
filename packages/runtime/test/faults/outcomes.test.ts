import { describe, expect, it } from 'vitest';
import type { CommandContext } from '../../src/command/context/command-context.js';
import { UserError } from '../../src/errors/user-error.js';
import type { Act } from '../../../simulator/test/shared/gated-simulator.js';
import type { PlatformInteraction } from './interaction-platform.js';
import type { RecordedLog } from '../recorded-log.js';
import { openInteractionWorld } from './interaction-world.js';

// Every way a command ends x every way it gets there x twelve faults, on real sockets: each of these runs has
// exactly one outcome that people see, whatever failed before it.

/** Ends of a handler, and the visible result if nothing was written before. */
const ENDS = {
  'returns a text': { end: () => 'done', text: 'done' },
  'returns null': { end: () => null, text: undefined },
  'returns nothing': { end: () => undefined, text: undefined },
  'throws a UserError': {
    end: () => {
      throw new UserError('Not today.');
    },
    text: 'Not today.',
  },
  'throws an Error': {
    end: () => {
      throw new Error('broken');
    },
    text: 'Something went wrong.',
  },
  'never ends': {
    end: () => new Promise<never>(() => {}),
    text: 'This took too long. Please try again later.',
  },
} as const;

type End = (typeof ENDS)[keyof typeof ENDS];

/** Steps of a handler before its end. */
const WAYS = {
  'at once':
    ({ end }: End) =>
    () =>
      end(),
  'after the defer':
    ({ end }: End) =>
    async ({ clock }: CommandContext) => {
      await clock.sleep('2500ms');
      return end();
    },
  'after two states': ({ end }: End) =>
    async function* ({ clock }: CommandContext) {
      yield 'state 1';
      await clock.sleep('1s');
      yield 'state 2';
      await clock.sleep('1s');
      return end();
    },
  'after two replies':
    ({ end }: End) =>
    async ({ reply, clock }: CommandContext) => {
      await reply('reply 1');
      await clock.sleep('1s');
      await reply('reply 2');
      return end();
    },
} as const;

type Way = keyof typeof WAYS;

/** Visible result: the answer, and the messages after it; else the reason in the log. */
function expected(way: Way, { text }: End, run: PlatformInteraction) {
  if (run.isExpired) return EXPIRED;
  // Nothing but a text removes a thinking state.
  const silence = run.calls.includes('defer 200') ? 'Done.' : undefined;
  switch (way) {
    case 'after two states':
      return seeing(text ?? 'state 2');
    case 'after two replies':
      return text === 'done'
        ? seeing('done', 'reply 2')
        : seeing('reply 1', 'reply 2', ...(text === undefined ? [] : [text]));
    default:
      return seeing(text ?? silence);
  }
}

function seeing(content: string | undefined, ...followUps: string[]) {
  const shown = content === undefined ? 'acknowledged' : 'answer';
  return {
    shown,
    content,
    followUps,
    answers: content === undefined ? 0 : 1,
    created: content === undefined ? 0 : 1,
    excuse: '',
  };
}

/** Nothing could be sent before the window was over: the defer was refused for longer than that. */
const EXPIRED = {
  shown: 'nothing',
  content: undefined,
  followUps: [],
  answers: 0,
  created: expect.any(Number),
  excuse: expect.stringMatching(/^defer 429: .* (before it expired|could not be delivered)/),
};

const limited = (seconds: number): Act => ({
  takesEffect: false,
  reply: { status: 429, headers: { 'retry-after': String(seconds) } },
});
const LOST: Act = { takesEffect: false, reply: { status: 503 } };
const DONE: Act = { reply: { status: 503 } };
const RESET_BEFORE: Act = { takesEffect: false, reply: 'reset' };
const RESET_AFTER: Act = { reply: 'reset' };

/** Faults of the requests of an interaction: of the first requests of a kind. */
const FAULTS: readonly (readonly [call: string, act: Act, times: number])[] = [
  ['none', {}, 0],
  ['POST response', LOST, 1],
  ['POST response', DONE, 1],
  ['POST response', RESET_BEFORE, 1],
  ['POST response', RESET_AFTER, 1],
  ['POST response', limited(1), 1],
  ['POST response', limited(5), 2],
  ['POST defer', LOST, 1],
  ['POST defer', RESET_AFTER, 1],
  ['POST defer', limited(4), 1],
  ['PATCH response', LOST, 3],
  ['POST follow-ups', limited(2), 1],
];

const NO_FAULT = ['', {}, 0] as const;

describe.each(Object.keys(WAYS) as Way[])('a command that ends %s', (way) => {
  it.each(Object.entries(ENDS))('and %s has one outcome, whatever fails', async (_, end) => {
    const counts = new Map<string, number>();
    const world = await openInteractionWorld({
      timeout: '60s',
      run: WAYS[way](end),
      script(call, id) {
        const [wanted, act, times] = FAULTS[runs.findIndex((run) => run.id === id)] ?? NO_FAULT;
        const count = counts.get(`${id} ${call}`) ?? 0;
        counts.set(`${id} ${call}`, count + 1);
        return call === wanted && count < times ? act : undefined;
      },
    });
    const { platform, bot, log } = world;
    const runs = FAULTS.map(() => platform.run());
    const ended = (): number => log.lines.filter(({ details }) => 'outcome' in details).length;
    await world.arrive(() => expect(bot.running + ended()).toBe(FAULTS.length));
    await world.push(100, () => expect(ended()).toBe(FAULTS.length));
    expect(runs.map((run, index) => ({ fault: FAULTS[index], ...seenOf(run, log) }))).toEqual(
      runs.map((run, index) => ({ fault: FAULTS[index], ...expected(way, end, run) })),
    );
    await world.end();
  });
});

function seenOf(run: PlatformInteraction, log: RecordedLog) {
  const { shown, content, followUps, answers, calls, isExpired } = run;
  // A limited answer was not processed; every other one may have been.
  const created = calls.filter((call) => /^response (?!429)/.test(call)).length;
  const errors = isExpired ? log.at('error') : [];
  return {
    shown,
    content,
    followUps,
    answers,
    created,
    excuse: isExpired ? `${calls[0]}: ${errors.join()}` : '',
  };
}
