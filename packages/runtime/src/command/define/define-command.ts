import type { Intent } from '@virgule/core/protocol';
import type { z } from 'zod';
import type { CommandContext } from '../context/command-context.js';
import type { ConcurrencySetting, CooldownSetting } from '../throttle/throttle-settings.js';
import type { Answer, AnswerStates } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';
import type { Meta } from '../register.js';

/** The settings of a command. */
export interface CommandSettings {
  /**
   * Other names that run the command, in full and without the slash: `['r', 'dice']`. The platform
   * lists each one as a command of its own. Limits hold for all names together.
   *
   * @defaultValue none
   */
  readonly aliases?: readonly string[] | undefined;
  /**
   * When the thinking state is shown to keep the command from expiring: `'auto'` 1.5 s after the
   * command was received (sooner if half of `profile.answerWindowMs` is less), a duration counted from
   * the same moment, `'now'` at once, or `'never'`.
   *
   * @defaultValue `'auto'`
   */
  readonly defer?: 'auto' | 'now' | 'never' | Duration | undefined;
  /**
   * How long the handler may take. Then `signal` is aborted and the user is informed.
   *
   * @defaultValue `'15m'`
   */
  readonly timeout?: Duration | undefined;
  /**
   * How long after one run the next one is refused, per channel by default: `'5s'`,
   * `{ every: '5s', per: 'server' }`, or several runs per window, `{ limit: 10, every: '30s' }`. Users
   * see how long they have to wait.
   *
   * @defaultValue none
   */
  readonly cooldown?: Duration | CooldownSetting | undefined;
  /**
   * How many runs can be in progress at a time, and what happens to a run beyond that:
   * `{ max: 1, per: 'channel', when: 'reject' }`.
   *
   * @defaultValue any number
   */
  readonly concurrency?: ConcurrencySetting | undefined;
  /**
   * For commands that mostly answer nothing: a slow one is acknowledged, which shows nothing,
   * instead of deferred, which shows a thinking state that has to be filled in.
   *
   * @defaultValue `false`
   */
  readonly silent?: boolean | undefined;
  /**
   * The events that the command waits for: `confirm`, `reactions` and `paginate` need
   * `MESSAGE_REACTIONS`, `waitForMessage` needs `SERVER_MESSAGES`. The bot requests only the intents that
   * its commands and event files need.
   *
   * @defaultValue none
   */
  readonly intents?: readonly Intent[] | undefined;
  /**
   * Plain data about the command for middleware, as `ctx.meta`, and for a help, in `ctx.commands`. Not
   * sent to the platform.
   *
   * @defaultValue `{}`
   */
  readonly meta?: Meta | undefined;
}

/** The result of `run`: an answer, a promise of one, or a generator whose values are states of the answer. */
export type HandlerResult = Answer | Promise<Answer> | AnswerStates;

/** The type of `options`. That of an object without keys would have any key, of type `never`. */
type OptionsOf<Schema extends z.core.$ZodObject> = [z.output<Schema>] extends [
  Readonly<Record<string, never>>,
]
  ? Readonly<Record<never, never>>
  : z.output<Schema>;

/** A slash command: one object with a zod schema of its options and a handler. */
export interface CommandDefinition<
  Options extends z.core.$ZodObject = z.core.$ZodObject,
> extends CommandSettings {
  /** Shown where users choose a command. 1 to 100 characters. */
  readonly description: string;
  /** One key for each option; the order of the keys is the order of the words that users type. */
  readonly options?: Options | undefined;
  readonly run: (context: CommandContext<OptionsOf<Options>>) => HandlerResult;
}

/**
 * Defines the command of a file below `commands/`. Export it as the default export.
 *
 * @example
 * ```ts
 * // commands/greet.ts -> /greet
 * export default defineCommand({
 *   description: 'Say hello to someone',
 *   options: z.object({ name: z.string().describe('Who to greet') }),
 *   run: ({ options }) => `Hello, ${options.name}!`,
 * });
 * ```
 */
export function defineCommand<
  const Options extends z.core.$ZodObject = z.ZodObject<Record<never, never>>,
>(definition: CommandDefinition<Options>): CommandDefinition<Options> {
  return definition;
}
