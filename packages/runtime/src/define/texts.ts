import { readableError } from '@virgule/core/errors';
import { silentLog, type Log } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { cutText } from '../options/cut-text.js';
import type { InputFailure } from '../raw-input/input-failure.js';

/**
 * Every message that users can get from the framework itself. Texts that a bot's author wrote, such as
 * answers, refusals of middleware and `UserError`, are not among them.
 */
export interface Texts {
  /** A line could not be read as the command's options: the problem, what was typed, the usage. */
  readonly inputFailure: (failure: InputFailure) => string;
  /** The bot does not have the command: its registration is older than the bot. */
  readonly unknownCommand: (command: { readonly name: string }) => string;
  /** The bot shuts down: for new commands, and for those that did not end in time. */
  readonly restarting: string;
  /** A handler threw. `cause` is the text of the error; only in development. */
  readonly failed: (failure: { readonly cause: string | undefined }) => string;
  /** A command took longer than its `timeout`. */
  readonly timedOut: string;
  /** A command was run again within its `cooldown`; it can be run again in `leftMs` milliseconds. */
  readonly cooldown: (wait: { readonly name: string; readonly leftMs: number }) => string;
  /** A command runs as often as its `concurrency` allows. */
  readonly tooBusy: (command: { readonly name: string }) => string;
  /** The text of a deferred command without an answer: nothing else ends the thinking state. */
  readonly silent: string;
  /** A command waited for users to react or write, and the bot stopped listening. */
  readonly waitClosed: string;
}

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

export const DEFAULT_TEXTS: Texts = {
  inputFailure: ({ message }) => message,
  unknownCommand: ({ name }) => `This bot no longer has a command /${name}.`,
  restarting: RESTARTING,
  failed: ({ cause }) =>
    cause === undefined ? 'Something went wrong.' : `Something went wrong. ${cause}`,
  timedOut: 'This took too long. Please try again later.',
  cooldown: ({ name, leftMs }) =>
    `Please wait ${formatWait(leftMs)} before you use /${name} again.`,
  tooBusy: ({ name }) => `/${name} is busy. Please try again in a moment.`,
  silent: 'Done.',
  waitClosed: RESTARTING,
};

/** Returns the default texts with some replaced. One that is `undefined`, and one that fails, keeps its default. */
export function resolveTexts(overrides: Partial<Texts> = {}, log: Log = silentLog): Texts {
  const given = Object.entries(overrides).filter(([, text]) => text !== undefined);
  const texts = { ...DEFAULT_TEXTS, ...Object.fromEntries(given) };
  const safe = <Name extends FunctionName>(name: Name) => guarded(name, texts[name], log);
  return {
    ...texts,
    inputFailure: safe('inputFailure'),
    unknownCommand: safe('unknownCommand'),
    failed: safe('failed'),
    cooldown: safe('cooldown'),
    tooBusy: safe('tooBusy'),
  };
}

type FunctionName = {
  [Name in keyof Texts]: Texts[Name] extends string ? never : Name;
}[keyof Texts];

/** Wraps a text so that an error in it does not leave a user without an answer: the default replaces it. */
function guarded<Name extends FunctionName>(name: Name, text: Texts[Name], log: Log): Texts[Name] {
  // The two functions of one name take the facts of that name; a union of functions does not express that.
  const make = text as (facts: never) => unknown;
  const makeDefault = DEFAULT_TEXTS[name] as (facts: never) => string;
  const word = (facts: never): string => {
    try {
      const made = make(facts);
      if (typeof made === 'string' && made !== '') return cutText(made, CONTENT_MAX_LENGTH);
      log.error({ text: name }, `the text "${name}" is empty; using the default`);
    } catch (error) {
      log.error(
        { text: name, err: readableError(error) },
        `the text "${name}" threw; using the default`,
      );
    }
    return makeDefault(facts);
  };
  // As above.
  return word as Texts[Name];
}

/** Returns a wait in words, rounded up, so that it is long enough. */
function formatWait(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  if (seconds < 120) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}
