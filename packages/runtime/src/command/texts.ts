import { readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import type { EnvValues, Services } from './register.js';
import { cutText } from '../text/cut-text.js';
import type { InputFailure } from '../errors/error-guards.js';

/** Place of a text, with the services and variables that handlers get, such as for a language by server. */
export interface TextContext {
  readonly serverId: string;
  readonly channelId: string;
  /** Object that `services.ts` returned; empty until it is created. */
  readonly services: Services;
  readonly env: EnvValues;
}

/** A message: a string, or a function that returns one. */
export type Text<Facts = unknown> = string | ((facts: Facts & TextContext) => string);

/**
 * Messages that users can get from the framework itself. Texts that a bot's author wrote, such as answers, refusals of
 * middleware and `UserError`, are not included.
 */
export interface Texts {
  /** A line could not be read as the command's options. The default names the problem, the typed text and the usage. */
  readonly inputFailure: Text<InputFailure>;
  /**
   * The bot no longer has the command: the registration on the platform is older than the bot. `usage` is the command as a
   * message, if only messages run it.
   */
  readonly unknownCommand: Text<{ readonly name: string; readonly usage: string | undefined }>;
  /** The bot shuts down. Shown for new commands, and for commands that did not end in time. */
  readonly restarting: Text;
  /** A process ended in the middle of a command with several messages, or of an answered question; it does not run again. */
  readonly interrupted: Text;
  /** A handler threw. `cause` is the text of the error in development; `undefined` in production. */
  readonly failed: Text<{ readonly cause: string | undefined }>;
  /** A command took longer than its `timeout`. */
  readonly timedOut: Text;
  /**
   * A command was run again within its `cooldown`. The next run is possible in `leftMs` milliseconds. `typed` is the command in
   * the form of this run, such as `/daily` or `!daily`.
   */
  readonly cooldown: Text<{
    readonly name: string;
    readonly typed: string;
    readonly leftMs: number;
  }>;
  /** A command runs as often as its `concurrency` allows. */
  readonly tooBusy: Text<{ readonly name: string; readonly typed: string }>;
  /**
   * A command needs to know its author, who is unknown. `usage` is the command as a message, if messages run it.
   */
  readonly authorUnknown: Text<{ readonly name: string; readonly usage: string | undefined }>;
  /**
   * A language model calls a tool that users must approve, by ✅ or ❌ under the text. `line` is the call with its options, in a
   * frame. `users` are the ids of the users who may approve; none for any user.
   */
  readonly approval: Text<{
    readonly name: string;
    readonly line: string;
    readonly users: readonly string[];
  }>;
  /** A deferred command ended without an answer: only a text ends the thinking state. */
  readonly silent: Text;
  /** A command waited for users to react or write, and the bot stopped listening. */
  readonly waitClosed: Text;
}

type Shared = Pick<TextContext, 'services' | 'env'>;

/** The texts of a bot, which add the services and variables to the facts. */
export type ResolvedTexts = {
  readonly [Name in keyof Texts]: (
    facts: Omit<Parameters<Exclude<Texts[Name], string>>[0], keyof Shared>,
  ) => string;
};

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

export const DEFAULT_TEXTS = {
  inputFailure: ({ message }) => message,
  unknownCommand: ({ name, usage }) =>
    usage === undefined
      ? `This bot no longer has a command /${name}.`
      : `/${name} runs only as a message: ${usage}`,
  restarting: RESTARTING,
  interrupted: 'This command was interrupted before it ended.',
  failed: ({ cause }) =>
    cause === undefined ? 'Something went wrong.' : `Something went wrong. ${cause}`,
  timedOut: 'This took too long. Please try again later.',
  cooldown: ({ typed, leftMs }) =>
    `Please wait ${formatWait(leftMs)} before you use ${typed} again.`,
  tooBusy: ({ typed }) => `${typed} is busy. Please try again in a moment.`,
  authorUnknown: ({ name, usage }) =>
    `I cannot see who ran /${name}${usage === undefined ? '.' : `: send it as a message, ${usage}`}`,
  approval: ({ line, users }) => {
    const by = users.slice(0, 5).map((id) => `<@${id}>`);
    return `A language model asks to run this. ${by.join(', ') || 'Anyone'} can approve it:\n${line}`;
  },
  silent: 'Done.',
  waitClosed: RESTARTING,
} satisfies Texts;

/** Returns the default texts with overrides. An override that is `undefined` or fails is replaced by its default. */
export function resolveTexts(overrides: Partial<Texts> = {}, log: Log, shared: () => Shared) {
  /** Wraps a text: if it throws, the default replaces it, so that the user still gets an answer. */
  const guarded = (name: keyof Texts) => {
    const byDefault: Text<never> = DEFAULT_TEXTS[name];
    const given: Text<never> = overrides[name] ?? byDefault;
    return (own: object): string => {
      const facts = { ...own, ...shared() } as never;
      try {
        const made: unknown = write(given, facts);
        if (typeof made === 'string' && made !== '') return cutText(made, CONTENT_MAX_LENGTH);
        // JavaScript may return anything, such as a promise, whose error must not end the process.
        if (made instanceof Promise) made.catch(() => {});
        const message = `the text "${name}" is not a string, or empty; using the default`;
        log.error({ text: name }, message);
      } catch (error) {
        const message = `the text "${name}" threw; using the default`;
        log.error({ text: name, err: readableError(error) }, message);
      }
      return write(byDefault, facts);
    };
  };
  const names = Object.keys(DEFAULT_TEXTS) as (keyof Texts)[];
  return Object.fromEntries(names.map((name) => [name, guarded(name)])) as ResolvedTexts;
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
