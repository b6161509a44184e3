import { inspect, isDeepStrictEqual } from 'node:util';
import { isRecord } from '@virgule/core/objects';
import type { Duration } from '@virgule/runtime';
import { readDuration } from '@virgule/runtime/project';
import type { TestResult, TestRun } from './test-bot.js';
import { testingErrors } from './testing-errors.js';
import { withHint } from './with-hint.js';

type Values = Readonly<Record<string, unknown>>;

/** Expected text, or a pattern that the text has to match. */
type Expected = string | RegExp;

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Matchers, for the types of an `expect`. */
export interface ChatMatchers {
  /**
   * Passes if the bot wrote a message that equals the text or matches the pattern. Without an argument, any message
   * passes.
   */
  toHaveReplied(expected?: Expected): void;
  /** Passes as `toHaveReplied` does, for the messages of a command after its answer. */
  toHaveFollowedUp(expected?: Expected): void;
  /** Passes if the thinking state was shown, within the given time. */
  toHaveDeferred(options?: { readonly within?: Duration }): void;
  /** Passes if the bot added the given reaction. Without an argument, any reaction passes. */
  toHaveReacted(emoji?: string): void;
  /**
   * Passes if code or a language model called the command with at least these options. Without options, any call of the
   * command passes.
   */
  toHaveCalled(command: string, options?: Values): void;
}

const isMatch = (text: string, expected: Expected | undefined): boolean =>
  expected === undefined ||
  (typeof expected === 'string' ? text === expected : expected.test(text));

const named = (value: unknown): string => (value === undefined ? '' : ` ${inspect(value)}`);

/** Returns the result. JavaScript may pass its promise. */
function settled<Result extends TestResult>(result: Result): Result {
  if (result instanceof Promise) throw withHint(testingErrors.E_TEST_CALL({ kind: 'promise' }));
  return result;
}

function verdict(pass: boolean, claim: string, { transcript }: TestResult): Verdict {
  return {
    pass,
    message: () => `The bot was ${pass ? 'not ' : ''}expected to ${claim}:\n${transcript}`,
  };
}

function reactionsOf(result: TestResult): readonly unknown[] {
  return settled(result).calls.flatMap(({ endpoint, body, status }) =>
    endpoint === 'reactions.add' && status === 200 && isRecord(body)
      ? [body['unicodeEmoji'] ?? body['customEmojiId']]
      : [],
  );
}

/**
 * Matchers for results of a test bot, for `expect.extend` of vitest and of compatible test libraries. A failure shows
 * the chat.
 *
 * @example
 * ```ts
 * expect.extend(matchers);
 * expect(await bot.run('/hello')).toHaveReplied(/^Hello/);
 * ```
 */
export const matchers = {
  toHaveReplied(result: TestResult, expected?: Expected): Verdict {
    const pass = settled(result).replies.some((text) => isMatch(text, expected));
    return verdict(pass, `reply${named(expected)}`, result);
  },
  toHaveFollowedUp(run: TestRun, expected?: Expected): Verdict {
    const pass = settled(run).followUps.some((text) => isMatch(text, expected));
    return verdict(pass, `follow up${named(expected)}`, run);
  },
  toHaveDeferred(run: TestRun, { within }: { readonly within?: Duration } = {}): Verdict {
    const limitMs = within === undefined ? Infinity : readDuration(within);
    const pass = settled(run).deferred && (run.timings.deferredMs ?? 0) <= limitMs;
    return verdict(pass, `defer${within === undefined ? '' : ` within ${within}`}`, run);
  },
  toHaveReacted(result: TestResult, emoji?: string): Verdict {
    const added = reactionsOf(result);
    const pass = emoji === undefined ? added.length > 0 : added.includes(emoji);
    return verdict(pass, `react${emoji === undefined ? '' : ` with ${emoji}`}`, result);
  },
  toHaveCalled(result: TestResult, name: string, options: Values = {}): Verdict {
    const pass = settled(result).called.some(
      (each) =>
        each.command === name &&
        Object.keys(options).every((key) => isDeepStrictEqual(each.options[key], options[key])),
    );
    const given = Object.keys(options).length > 0 ? ` with ${inspect(options)}` : '';
    const seen = result.called.map((each) => `\n  called ${each.command} ${inspect(each.options)}`);
    const transcript = result.transcript + seen.join('');
    return verdict(pass, `call ${name}${given}`, { ...result, transcript });
  },
};
