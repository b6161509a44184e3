// The interface between the simulator and its chat page: `/_sim/*` over HTTP and `/_ui` over a
// WebSocket. Not part of the Bot Interface.
import type { BotMe, Channel, Server } from '../protocol/identity.js';
import type { Command } from '../protocol/commands.js';
import type { Message } from '../protocol/messages.js';
import type { Profile } from '../protocol/profile.js';
import type { ReactionSummary } from '../protocol/reactions.js';
import type { VoiceParticipant } from '../protocol/voice.js';

/** A user or bot of the simulator. */
export interface SimUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly isBot: boolean;
  /** Role in the server, such as `owner`; empty for an ordinary member. */
  readonly role: string;
  /** Token with which the page acts as this user; absent for bots. It is valid only in this simulator. */
  readonly token?: string | undefined;
}

export interface SimServer extends Server {
  /** Whether the bot is installed. GET /servers omits the other servers. */
  readonly botInstalled: boolean;
  readonly memberIds: readonly string[];
}

export interface SimChannel extends Channel {
  /** Whether the bot can see the channel; false if a permission override hides it. */
  readonly visibleToBot: boolean;
}

/** An emoji of a message and its users. `me` is the bot. */
export interface SimReaction extends ReactionSummary {
  /** `count` users, in the order in which they reacted. */
  readonly userIds: readonly string[];
}

/** A message with what the page shows next to it. */
export interface SimMessage extends Message {
  readonly reactions: readonly SimReaction[];
  /** The interaction this message answers or follows up. */
  readonly interactionId: string | null;
}

/** A file that a user uploaded. Body of the response to POST /_sim/uploads. */
export interface SimUpload {
  /** Identifies the file in `attachments` of a message. */
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  /** URL of the file with its name at the end: the value of an attachment option (assumed). */
  readonly url: string;
  /** Time at which the file is deleted if no message has it. */
  readonly expiresAt: string;
}

/** A page of a channel's messages, oldest first. */
export interface SimMessagePage {
  readonly messages: readonly SimMessage[];
  readonly hasMore: boolean;
}

/** `waiting` has no response of any kind; `acknowledged` shows nothing; `deferred` shows the thinking state. */
export type SimInteractionState = 'waiting' | 'acknowledged' | 'deferred' | 'answered' | 'expired';

/** A slash command that a user ran. */
export interface SimInteraction {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly commandName: string;
  readonly rawInput: string;
  readonly state: SimInteractionState;
  /** Whether it was deferred at any time, and so which of the two windows an expired one missed. */
  readonly wasDeferred: boolean;
  readonly createdAt: string;
  /** Time of the next expiry; null once no response is expected. */
  readonly expiresAt: string | null;
  /** Id of the message that is the answer. */
  readonly responseMessageId: string | null;
}

export interface SimBot extends BotMe {
  /** Whether an identified socket is open. */
  readonly connected: boolean;
  /** Number of times a socket identified since the start. */
  readonly identifies: number;
}

export interface SimVoice {
  readonly channelId: string;
  readonly participants: readonly VoiceParticipant[];
  /** Whether a WHIP ingress is open; one that is never closed remains as a silent participant. */
  readonly ingressOpen: boolean;
}

/** A problem that the page shows to the developer, such as a file that does not compile. */
export interface SimProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** `commands/play.ts:14:22` */
  readonly where?: string | undefined;
  /** Source lines around the location, as plain text. */
  readonly frame?: string | undefined;
}

/** A question about what the bot itself keeps, for its own process. Body of POST /_sim/bot. */
export type SimBotQuestion =
  /** Answered with `SimTask[]`. */
  | { readonly type: 'tasks' }
  /** Adds a run that is due now. Answered with its id. */
  | { readonly type: 'run-task'; readonly task: string; readonly payload?: unknown }
  /** Answered with whether there was such a run. */
  | { readonly type: 'cancel-run'; readonly id: string }
  | { readonly type: 'retry-run'; readonly id: string }
  /** Answered with `SimStoredPage`. */
  | {
      readonly type: 'storage';
      readonly prefix: string;
      /** Entries after this key. @defaultValue from the first */
      readonly after?: string | undefined;
    };

/** A task of the bot, and what is known of its runs. */
export interface SimTask {
  readonly name: string;
  /** Path from the bot's folder; `null` if no file defines the task of these runs. */
  readonly file: string | null;
  /** Such as `every 1h`; `null` if it runs when it is called. */
  readonly schedule: string | null;
  /** Whether a run has a payload. */
  readonly hasPayload: boolean;
  /** The first 50: those that failed, the next of the schedule, and those that were called. */
  readonly runs: readonly SimTaskRun[];
  readonly hasMore: boolean;
}

export interface SimTaskRun {
  readonly id: string;
  readonly state: 'failed' | 'scheduled' | 'pending';
  /** When it is due, or was; ISO 8601. */
  readonly at: string;
  readonly payload?: unknown;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** A page of what the bot stores, in the order of the keys. */
export interface SimStoredPage {
  readonly entries: readonly SimStoredEntry[];
  readonly hasMore: boolean;
}

export interface SimStoredEntry {
  readonly key: string;
  /** JSON; the first 2,000 characters. */
  readonly value: string;
  /** Characters of the whole value. */
  readonly length: number;
}

/** The answer to a question: a value, or why there is none. */
export type SimBotAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Everything that the page shows, except messages. Body of GET /_sim/snapshot. */
export interface SimSnapshot {
  /** Version of this format. */
  readonly v: 1;
  readonly servers: readonly SimServer[];
  readonly channels: readonly SimChannel[];
  readonly users: readonly SimUser[];
  readonly bot: SimBot;
  readonly commands: readonly Command[];
  /** The latest 200, oldest first. */
  readonly interactions: readonly SimInteraction[];
  readonly voice: readonly SimVoice[];
  readonly problems: readonly SimProblem[];
  readonly profile: Profile;
  readonly assumptions: Readonly<Record<keyof Profile, string>>;
}

/** A frame on `/_ui`, from the simulator to the page. */
export type SimEvent =
  /** The first frame of a connection. */
  | { readonly type: 'snapshot'; readonly snapshot: SimSnapshot }
  /** A message was added or changed; a deleted one has `isDeleted`. */
  | { readonly type: 'message'; readonly message: SimMessage }
  | {
      readonly type: 'typing';
      readonly channelId: string;
      readonly userId: string;
      readonly forMs: number;
    }
  | { readonly type: 'interaction'; readonly interaction: SimInteraction }
  | { readonly type: 'commands'; readonly commands: readonly Command[] }
  | { readonly type: 'bot'; readonly bot: SimBot }
  | { readonly type: 'voice'; readonly voice: SimVoice }
  | { readonly type: 'problems'; readonly problems: readonly SimProblem[] };
