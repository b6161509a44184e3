import type { Intent } from '@virgule/core/protocol';
import type { z } from 'zod';
import type { CommandContext } from '../context/command-context.js';
import type { ConcurrencySetting, CooldownSetting } from '../throttle/throttle-settings.js';
import type { Answer, AnswerStates } from '../answer/answer.js';
import type { Duration } from '../../text/duration.js';
import type { Meta } from '../register.js';
import type { Who } from '../waits/listener.js';

/** Users who approve each call of a tool by ✅ in the channel, before the command runs. */
export interface ToolApproval {
  /** Ids of the users; `'author'` of the message that caused the call, without which the call is refused; or `'anyone'`. */
  readonly asks: Who;
  /** Time to answer: `'1s'` to `'365d'`. @defaultValue `'1d'` */
  readonly within?: Duration | undefined;
}

/** The settings of a command. */
export interface CommandSettings {
  /**
   * Other names that run the command, in full and without the slash: `['r', 'dice']`. The platform lists each alias as
   * a separate command. Limits apply to all names together.
   *
   * @defaultValue none
   */
  readonly aliases?: readonly string[] | undefined;
  /**
   * Time of the thinking state, which keeps the command from expiring: `'auto'` 1.5 s after the command was received (sooner if
   * half of `profile.answerWindowMs` is less), a duration counted from the same moment, `'now'` at once, or `'never'`.
   *
   * @defaultValue `'auto'`
   */
  readonly defer?: 'auto' | 'now' | 'never' | Duration | undefined;
  /**
   * Maximum duration of the handler. When it has passed, `signal` is aborted and the user is notified.
   *
   * @defaultValue `'15m'`
   */
  readonly timeout?: Duration | undefined;
  /**
   * Duration after a run in which further runs are refused, per channel by default: `'5s'`, `{ every: '5s', per: 'server' }`,
   * or several runs per window, `{ limit: 10, every: '30s' }`. Users see how long they have to wait.
   *
   * @defaultValue none
   */
  readonly cooldown?: Duration | CooldownSetting | undefined;
  /**
   * Maximum number of runs in progress at a time, and the treatment of a run beyond the maximum: `{ max: 1, per: 'channel',
   * when: 'reject' }`.
   *
   * @defaultValue unlimited
   */
  readonly concurrency?: ConcurrencySetting | undefined;
  /**
   * `true` for a command that usually does not answer: a slow run is acknowledged, which shows nothing, instead of deferred,
   * which shows a thinking state that an answer has to replace.
   *
   * @defaultValue `false`
   */
  readonly silent?: boolean | undefined;
  /**
   * Effect of the command as a tool of a language model: `'reads'` for a command that only looks something up, `'writes'` for
   * any other. With `asks`, each call waits until a user has approved it. `tools()` offers the first kind, and the others if
   * they are named.
   *
   * @defaultValue no model can call the command
   */
  readonly tool?: 'reads' | 'writes' | ToolApproval | undefined;
  /**
   * `true` if users can also run the command by a message, `!roll 20` or `@bot roll 20`: the author of the message is `author`
   * then. `'only'`: it is not listed as a slash command, and only messages run it. Requests the intent `SERVER_MESSAGES`.
   *
   * @defaultValue `false`
   */
  readonly messages?: boolean | 'only' | undefined;
  /**
   * Intents of the events that the command waits for: `confirm`, `reactions` and `paginate` need `MESSAGE_REACTIONS`,
   * `waitForMessage` needs `SERVER_MESSAGES`. The bot requests only the intents that its commands and event files need.
   *
   * @defaultValue none
   */
  readonly intents?: readonly Intent[] | undefined;
  /**
   * Plain data about the command for middleware, as `ctx.meta`, and for a help command, in `ctx.commands`. Not sent to the
   * platform.
   *
   * @defaultValue `{}`
   */
  readonly meta?: Meta | undefined;
}

/** The result of `run`: an answer, a promise of an answer, or a generator whose values are states of the answer. */
export type HandlerResult = Answer | Promise<Answer> | AnswerStates;

/** The type of `options`. Replaces the output type of a schema without keys, which would accept any key of type `never`. */
type OptionsOf<Schema extends z.core.$ZodObject> = [z.output<Schema>] extends [
  Readonly<Record<string, never>>,
]
  ? Readonly<Record<never, never>>
  : z.output<Schema>;

/** A slash command: one object with a zod schema of its options and a handler. */
export interface CommandDefinition<
  Options extends z.core.$ZodObject = z.core.$ZodObject,
> extends CommandSettings {
  /** Description that users see when they choose a command. 1 to 100 characters. */
  readonly description: string;
  /** Schema with one key for each option. Users type the values in the order of the keys. */
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
