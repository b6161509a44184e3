import type { Log } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import type { Rest } from '@virgule/client/rest';
import type { EditInput, MessageInput } from '../define/answer.js';
import type { EnvValues, Locals, Services } from '../define/register.js';
import type { ChannelHandle } from './channel-handle.js';
import type { ContextClock } from './context-clock.js';
import type { SentMessage } from './sent-message.js';

/** What a command handler gets. Every member can be destructured. */
export interface CommandContext<Options = Readonly<Record<string, unknown>>> {
  /** The options, parsed and validated by the command's schema. */
  readonly options: Options;
  /**
   * Writes the answer if there is none yet, else a follow-up message.
   *
   * @throws VirguleError `E_INTERACTION_EXPIRED` when the platform no longer takes an answer.
   */
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
  /** Replaces the text of the answer, or writes it if there is none yet. */
  readonly edit: (input: EditInput) => Promise<void>;
  /** Shows the thinking state now instead of 1.5 s after the command was received. Endpoint 28. */
  readonly defer: () => Promise<void>;
  /** The channel the command was run in. */
  readonly here: ChannelHandle;
  /** Another channel, by id. */
  readonly channel: (channelId: string) => ChannelHandle;
  readonly commandName: string;
  readonly interactionId: string;
  readonly serverId: string;
  readonly channelId: string;
  /** The event as it came. The platform does not say who ran the command; an undocumented field would be here. */
  readonly raw: ApplicationCommandEvent & Readonly<Record<string, unknown>>;
  /** What `services.ts` made; typed by `Register`. */
  readonly services: Services;
  /** The environment, checked and converted by the config's `env` schema; typed by `Register`. */
  readonly env: EnvValues;
  /** A place for what middleware finds out and handlers need; one object for each interaction. */
  readonly locals: Locals;
  /** The whole REST interface. */
  readonly rest: Rest;
  /** Writes log lines that name this interaction. */
  readonly log: Log;
  /** Aborted when the command takes longer than its `timeout` and when the bot shuts down. */
  readonly signal: AbortSignal;
  readonly clock: ContextClock;
  /** A number from 0 up to, not including, 1. Tests can fix it. */
  readonly random: () => number;
}
