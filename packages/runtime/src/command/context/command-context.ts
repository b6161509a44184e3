import type { ApplicationCommandEvent, MessageEvent, ReactionEvent } from '@virgule/core/protocol';
import type { EditInput, MessageInput, SentMessage } from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import type {
  ConfirmOptions,
  MessageReference,
  PaginateOptions,
  ReactionsOptions,
  WaitForMessageOptions,
} from '../waits/wait-calls.js';
import type { Locals, Meta } from '../register.js';
import type { ChannelHandle, HandlerContext } from './shared-context.js';
import type { CommandInfo } from '../command-info.js';
import type { ContextLog } from './context-log.js';

/** What a command handler gets. Every member can be destructured. */
export interface CommandContext<
  Options = Readonly<Record<string, unknown>>,
> extends HandlerContext {
  /** The options, parsed and validated by the command's schema. */
  readonly options: Options;
  /**
   * Writes the answer if there is none yet, else a follow-up message, with its files. With `split`, a
   * text that is too long continues in further messages; the handle is that of the first.
   *
   * @throws VirguleError `E_INTERACTION_EXPIRED` when the platform no longer takes an answer.
   */
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
  /** Replaces the text of the answer, or writes it if there is none yet. An edit carries no files. */
  readonly edit: (input: EditInput) => Promise<void>;
  /**
   * Adds pieces of text to the answer as they arrive, such as those of a language model, and creates it
   * with the first. Edits are at least 250 ms apart; text beyond 2000 characters continues in further
   * messages. If the source fails, the text so far remains, and the error is thrown.
   *
   * @returns handles of the messages it wrote to, the answer first; none when there was no text.
   */
  readonly append: (source: TextSource) => Promise<readonly SentMessage[]>;
  /**
   * Asks a question and waits until a user presses ✅ or ❌ under it. Resolves to `false` if no one does
   * in time. Needs `intents: ['MESSAGE_REACTIONS']`.
   *
   * @throws VirguleError `E_INTENT_MISSING`, `E_TOO_MANY_WAITS`; `E_WAIT_CLOSED` when the bot shuts down
   *   meanwhile, and the reason of `signal` when it is aborted.
   */
  readonly confirm: (question: MessageInput, options?: ConfirmOptions) => Promise<boolean>;
  /**
   * Waits for the next message in the channel, from the call on: call it before you write the question,
   * and no answer is too quick. Resolves to `null` if none arrives in time. Needs
   * `intents: ['SERVER_MESSAGES']`.
   *
   * @throws VirguleError as `confirm` does.
   */
  readonly waitForMessage: (options: WaitForMessageOptions) => Promise<MessageEvent | null>;
  /**
   * Yields the reactions that are added to a message of this channel, until the time is over. For the
   * handle of a sent message these are all since it appeared, else those from the call on. Needs
   * `intents: ['MESSAGE_REACTIONS']`.
   *
   * @throws VirguleError as `confirm` does: the first two at once, the others in the loop.
   */
  readonly reactions: (
    message: MessageReference,
    options: ReactionsOptions,
  ) => AsyncGenerator<ReactionEvent, void, undefined>;
  /**
   * Shows the first page with ◀️ and ▶️ under it, and the others in its place as these are pressed.
   * Resolves when no one has turned a page for a while, and when the bot shuts down. Needs `intents: ['MESSAGE_REACTIONS']`.
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
  /** The `meta` of the command; typed by `CommandMeta`. */
  readonly meta: Meta;
  /** All commands of the bot with their usage, for a help. */
  readonly commands: readonly CommandInfo[];
  readonly interactionId: string;
  /** Stated for every command; empty if the platform sends one without a server. */
  readonly serverId: string;
  readonly channelId: string;
  /** The event as received. The platform does not report who ran the command; an undocumented field would be here. */
  readonly raw: ApplicationCommandEvent & Readonly<Record<string, unknown>>;
  /** Values that middleware passes to handlers; one object for each interaction. */
  readonly locals: Locals;
  /** Writes log lines that name this interaction. */
  readonly log: ContextLog;
  /** Aborted when the command takes longer than its `timeout`, when the bot shuts down, and when the command is over. */
  readonly signal: AbortSignal;
}
