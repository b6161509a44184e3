import { readableError } from '@virgule/core/errors';
import { silentLog, type Log } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import type { EnvValues, Services } from './register.js';
import { cutText } from '../text/cut-text.js';
import type { InputFailure } from '../errors/error-guards.js';

/** Where a text is shown, and what handlers get there, such as for a language by server. */
export interface TextContext {
  readonly serverId: string;
  readonly channelId: string;
  /** Empty until they are created. */
  readonly services: Services;
  readonly env: EnvValues;
}

/** A message: a string, or a function that returns one. */
export type Text<Facts = unknown> = string | ((facts: Facts & TextContext) => string);

/**
 * Every message that users can get from the framework itself. Texts that a bot's author wrote, such as
 * answers, refusals of middleware and `UserError`, are not among them.
 */
export interface Texts {
  /** A line could not be read as the command's options: the problem, what was typed, the usage. */
  readonly inputFailure: Text<InputFailure>;
  /** The bot does not have the command: its registration is older than the bot. */
  readonly unknownCommand: Text<{ readonly name: string }>;
  /** The bot shuts down: for new commands, and for those that did not end in time. */
  readonly restarting: Text;
  /** A process ended in the middle of a command that had sent several messages, and it does not run again. */
  readonly interrupted: Text;
  /** A handler threw. `cause` is the text of the error; only in development. */
  readonly failed: Text<{ readonly cause: string | undefined }>;
  /** A command took longer than its `timeout`. */
  readonly timedOut: Text;
  /** A command was run again within its `cooldown`; it can be run again in `leftMs` milliseconds. */
  readonly cooldown: Text<{ readonly name: string; readonly leftMs: number }>;
  /** A command runs as often as its `concurrency` allows. */
  readonly tooBusy: Text<{ readonly name: string }>;
  /** The text of a deferred command without an answer: nothing else ends the thinking state. */
  readonly silent: Text;
  /** A command waited for users to react or write, and the bot stopped listening. */
  readonly waitClosed: Text;
}

/** The texts as functions, which do not fail. */
export type ResolvedTexts = {
  readonly [Name in keyof Texts]: Exclude<Texts[Name], string>;
};

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

export const DEFAULT_TEXTS = {
  inputFailure: ({ message }) => message,
  unknownCommand: ({ name }) => `This bot no longer has a command /${name}.`,
  restarting: RESTARTING,
  interrupted: 'This command was interrupted before it ended.',
  failed: ({ cause }) =>
    cause === undefined ? 'Something went wrong.' : `Something went wrong. ${cause}`,
  timedOut: 'This took too long. Please try again later.',
  cooldown: ({ name, leftMs }) =>
    `Please wait ${formatWait(leftMs)} before you use /${name} again.`,
  tooBusy: ({ name }) => `/${name} is busy. Please try again in a moment.`,
  silent: 'Done.',
  waitClosed: RESTARTING,
} satisfies Texts;

/** Returns the default texts with some replaced. One that is `undefined`, and one that fails, keeps its default. */
export function resolveTexts(overrides: Partial<Texts> = {}, log: Log = silentLog): ResolvedTexts {
  const names = Object.keys(DEFAULT_TEXTS) as (keyof Texts)[];
  const texts = names.map((name) => [name, guarded(name, overrides[name], log)]);
  return Object.fromEntries(texts) as ResolvedTexts;
}

/** Wraps a text so that an error in it does not leave a user without an answer: the default replaces it. */
function guarded(name: keyof Texts, given: Text<never> | undefined, log: Log) {
  const byDefault: Text<never> = DEFAULT_TEXTS[name];
  return (facts: never): string => {
    try {
      const made: unknown = write(given ?? byDefault, facts);
      if (typeof made === 'string' && made !== '') return cutText(made, CONTENT_MAX_LENGTH);
      // JavaScript may return anything, such as a promise, whose error must not end the process.
      if (made instanceof Promise) made.catch(() => {});
      log.error({ text: name }, `the text "${name}" is not a string, or empty; using the default`);
    } catch (error) {
      log.error(
        { text: name, err: readableError(error) },
        `the text "${name}" threw; using the default`,
      );
    }
    return write(byDefault, facts);
  };
}

const write = (text: Text<never>, facts: never): string =>
  typeof text === 'string' ? text : text(facts);

/** Returns a wait in words, rounded up, so that it is long enough. */
function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 120) return countOf(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
