import type { ApplicationCommandEvent, MessageEvent, ReactionEvent } from '@virgule/core/protocol';
import type { EditInput, MessageInput, SentMessage } from '../answer/answer.js';
import type { Caller } from '../answer/received-command.js';
import type { TextSource } from '../answer/text-source.js';
import type {
  ConfirmOptions,
  MessageReference,
  PaginateOptions,
  ReactionsOptions,
  WaitForMessageOptions,
} from '../waits/wait-calls.js';
import type { Author } from '../author.js';
import type { Locals, Meta } from '../register.js';
import type { ChannelHandle, HandlerContext } from './shared-context.js';
import type { CommandInfo } from '../command-info.js';
import type { CreateTools } from './call.js';
import type { ContextLog } from './context-log.js';

/** The argument of a command handler. Every member can be destructured. */
export interface CommandContext<
  Options = Readonly<Record<string, unknown>>,
> extends HandlerContext {
  /** The options, parsed and validated by the command's schema. */
  readonly options: Options;
  /**
   * Writes the answer with its files, or a follow-up message if there is an answer. With `split`, a text of more than 2000
   * characters continues in further messages, and the first message is returned.
   *
   * @throws VirguleError `E_INTERACTION_EXPIRED` when the platform no longer accepts an answer.
   */
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
  /** Replaces the text of the answer, or writes the answer if there is none yet. An edit cannot contain files. */
  readonly edit: (input: EditInput) => Promise<void>;
  /**
   * Adds pieces of text to the answer as they arrive, such as the output of a language model; the first piece creates the
   * answer. Edits are at least 250 ms apart; text beyond 2000 characters continues in further messages. If the source fails,
   * the text so far remains, and the error is thrown.
   *
   * @returns handles of the written messages, the answer first; an empty array if there was no text.
   */
  readonly append: (source: TextSource) => Promise<readonly SentMessage[]>;
  /**
   * Asks a question and waits until a user presses ✅ or ❌ under the question. Resolves to `false` if no user presses in time.
   * Needs `intents: ['MESSAGE_REACTIONS']`.
   *
   * @throws VirguleError `E_INTENT_MISSING`, `E_TOO_MANY_WAITS`; `E_WAIT_CLOSED` when the bot shuts down during the wait, and
   * the reason of `signal` when the signal is aborted.
   */
  readonly confirm: (question: MessageInput, options?: ConfirmOptions) => Promise<boolean>;
  /**
   * Waits for the next message in the channel after this call. Call it before you write the question, so that a quick answer is
   * not missed. Resolves to `null` if no message arrives in time. Needs `intents: ['SERVER_MESSAGES']`.
   *
   * @throws VirguleError as `confirm` does.
   */
  readonly waitForMessage: (options: WaitForMessageOptions) => Promise<MessageEvent | null>;
  /**
   * Yields the reactions that are added to a message of this channel, until the time is over. For the handle of a sent message,
   * yields all reactions since the message appeared; else the reactions after this call. Needs `intents:
   * ['MESSAGE_REACTIONS']`.
   *
   * @throws VirguleError `E_INTENT_MISSING` and `E_TOO_MANY_WAITS` at once; `E_WAIT_CLOSED` and the reason of `signal` in the
   * loop.
   */
  readonly reactions: (
    message: MessageReference,
    options: ReactionsOptions,
  ) => AsyncGenerator<ReactionEvent, void, undefined>;
  /**
   * Shows one page at a time, with ◀️ and ▶️ to turn the pages. Resolves when no user has turned a page for the time `within`,
   * and when the bot shuts down. Needs `intents: ['MESSAGE_REACTIONS']`.
   *
   * @throws VirguleError as `confirm` does.
   */
  readonly paginate: (
    pages: readonly EditInput[],
    options?: PaginateOptions,
  ) => Promise<SentMessage>;
  /** Shows the thinking state now instead of 1.5 s after the command was received. Endpoint 28. */
  readonly defer: () => Promise<void>;
  /** The channel where the command was run. */
  readonly here: ChannelHandle;
  readonly commandName: string;
  /** Kind of caller. All callers go through the same steps; only the destination of the answer differs. */
  readonly caller: Caller;
  /**
   * Returns commands as tools for a language model, in the format of the `ai` package: the commands with
   * `tool: 'reads'`, or exactly the given commands. A model runs them in this channel, without an author.
   *
   * @example
   * ```ts
   * const { text } = await generateText({ model, prompt, tools: tools(), abortSignal: signal });
   * ```
   */
  readonly tools: CreateTools;
  /**
   * The user who sent the command as a message. `undefined` if the author is unknown: the platform does not report who ran a
   * slash command, and a language model has no author.
   */
  readonly author: Author | undefined;
  /** The `meta` of the command; typed by `CommandMeta`. */
  readonly meta: Meta;
  /** All commands of the bot with their usage, for a help command. */
  readonly commands: readonly CommandInfo[];
  readonly interactionId: string;
  /** Id of the server; empty if the platform sends a command without a server. */
  readonly serverId: string;
  readonly channelId: string;
  /** The event as received, with undocumented fields; `message` is the message that ran the command, if one did. */
  readonly raw: ApplicationCommandEvent & Readonly<Record<string, unknown>>;
  /** Values that middleware passes to handlers; one object for each interaction. */
  readonly locals: Locals;
  /** Log whose lines name this interaction. */
  readonly log: ContextLog;
  /** Signal that is aborted after the `timeout` of the command, when the bot shuts down, and when the command has ended. */
  readonly signal: AbortSignal;
}
