// The interface of the simulator and its page: `/_sim/*` over HTTP, `/_ui` over a WebSocket; not of the Bot Interface.
import type { BotMe, Channel, Server } from '../protocol/identity.js';
import type { Command } from '../protocol/commands.js';
import type { Permission } from '../protocol/endpoints.js';
import type { Message } from '../protocol/messages.js';
import type { Profile } from '../protocol/profile.js';
import type { ReactionSummary } from '../protocol/reactions.js';
import type { VoiceParticipant } from '../protocol/voice.js';
import type { SimTraceRow } from './trace-api.js';

/** A user or bot of the simulator. */
export interface SimUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly isBot: boolean;
  /** Role in the server, such as `owner`; empty for an ordinary member. */
  readonly role: string;
  /** Token with which the page acts as this user; absent for bots. Valid only in this simulator. */
  readonly token?: string | undefined;
}

export interface SimServer extends Server {
  /** User ids of the installed bots, which are members too. The server does not exist for other bots. */
  readonly botIds: readonly string[];
  readonly memberIds: readonly string[];
}

/** A role of a server. Its mention is `<@&id>` (assumed). */
export interface SimRole {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly memberIds: readonly string[];
}

/** A custom emoji, usable in its server, and in others if the bot is installed in its server. */
export interface SimEmoji {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  /** Path of its image on the simulator. */
  readonly imageUrl: string;
  readonly isAnimated: boolean;
}

export interface SimChannel extends Channel {
  /** `true` if the bot can see the channel; `false` if a permission override hides the channel. */
  readonly visibleToBot: boolean;
  /** Permissions of the bot in the channel. */
  readonly botPermissions: readonly Permission[];
}

/** An emoji of a message and its users. `me` is the first bot. */
export interface SimReaction extends ReactionSummary {
  /** Ids of the `count` users, in the order of their reactions. */
  readonly userIds: readonly string[];
}

/** A message with its interaction and the users of its reactions. */
export interface SimMessage extends Message {
  readonly reactions: readonly SimReaction[];
  /** The interaction this message answers or follows up. */
  readonly interactionId: string | null;
  /** Error that the bot logged while it handled the message. */
  readonly failure?: SimFailure | undefined;
}

/** A file that a user uploaded. */
export interface SimUpload {
  /** Identifies the file in `attachments` of a message. */
  readonly objectKey: string;
  readonly fileName: string;
  readonly contentType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Value of an attachment option (assumed): a URL with the name of the file at its end, or its id. */
  readonly url: string;
  /** Time at which the file is deleted if no message has it. */
  readonly expiresAt: string;
}

/** A page of a channel's messages, oldest first. */
export interface SimMessagePage {
  readonly messages: readonly SimMessage[];
  readonly hasMore: boolean;
}

/** Moments that can be shown again, each a number of changes of the world up to that time. */
export interface SimPast {
  readonly first: number;
  readonly last: number;
}

/** State of an interaction: `waiting` has no response, `acknowledged` shows nothing, `deferred` the thinking state. */
export type SimInteractionState = 'waiting' | 'acknowledged' | 'deferred' | 'answered' | 'expired';

/** A registered command of a bot. */
export interface SimCommand extends Command {
  readonly botUserId: string;
}

/** An error of a bot. */
export interface SimFailure {
  readonly message: string;
  /** `E_STORAGE_VALUE`; absent for an error without a code. */
  readonly code?: string | undefined;
  /** `commands/play.ts:14:22` */
  readonly where?: string | undefined;
}

/** A slash command that a user ran. */
export interface SimInteraction {
  readonly id: string;
  /** The bot that owns the command. Only this bot can answer. */
  readonly botUserId: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly commandName: string;
  readonly rawInput: string;
  readonly state: SimInteractionState;
  /** `true` if the interaction was ever deferred: shows which window an expired interaction missed. */
  readonly wasDeferred: boolean;
  /** Error that the bot logged; absent without one. */
  readonly failure?: SimFailure | undefined;
  readonly createdAt: string;
  /** Time of the next expiry; null if no response is expected any more. */
  readonly expiresAt: string | null;
  /** Id of the response message. */
  readonly responseMessageId: string | null;
}

/** Result of an action of a user: everything that followed a command or a message. */
export interface SimOutcome {
  /** Id of the interaction, of the message, or of the joined voice channel; `null` after leaving. */
  readonly id: string | null;
  /** The message that was written, changed or reacted to. */
  readonly message?: SimMessage;
  readonly interaction?: SimInteraction;
  /** `true` if a bot received an event of the action. */
  readonly received: boolean;
  /** Files that handle the command or the events; absent if no process of the bot reports its files. */
  readonly handlers?: readonly string[];
  /** Messages of the bot, oldest first: for a command the answer and the follow-ups. */
  readonly replies: readonly SimMessage[];
  /** Events, requests and log entries, oldest first. */
  readonly trace: readonly SimOutcomeRow[];
  /** Set if the bot was not done when the time was up. */
  readonly note?: string;
}

/** A row of the trace, with its details. */
export interface SimOutcomeRow extends SimTraceRow {
  /** Bodies, the source code around an error and its stack, by title; at most 1,500 characters each. */
  readonly details?: Readonly<Record<string, string>>;
}

export interface SimBot extends BotMe {
  /** `true` if an identified socket is open. */
  readonly connected: boolean;
  /** `true` if an open socket receives the messages of servers. */
  readonly readsMessages?: boolean;
  /** Number of times a socket identified since the start. */
  readonly identifies: number;
  /** Token for REST and the gateway. Valid only in this simulator. */
  readonly token: string;
}

export interface SimVoice {
  readonly channelId: string;
  readonly participants: readonly VoiceParticipant[];
  /** `true` if a WHIP ingress is open; an ingress that is never closed remains as a silent participant. */
  readonly ingressOpen: boolean;
}

/** The clock of the world, for messages, interactions and uploads. Connections use the real time. */
export interface SimClockState {
  /** Time by which this clock is ahead of the real time; negative after a pause. Has no meaning during a pause. */
  readonly offsetMs: number;
  /** Time of this clock while it is paused, in milliseconds since 1970; `null` otherwise. */
  readonly pausedAtMs: number | null;
}

/** The next time at which something of a kind is due or expires. */
export interface SimDeadline {
  readonly kind: 'task' | 'answer' | 'upload';
  /** Name of the task, the command or the file. */
  readonly name: string;
  /** ISO 8601. */
  readonly at: string;
  /** Schedule of the task or of its repeat, such as `cron 0 9 * * * UTC`. */
  readonly timing?: string | null | undefined;
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

/** Audio that the open ingress of a voice channel has received. `null` if nothing publishes. */
export interface SimAudio {
  readonly packets: number;
  readonly lost: number;
  readonly isStereo: boolean;
  /** Number of the first item of `payloads`, counted from 0. */
  readonly first: number;
  /** Opus packets in base64, from number `after` of the query on; at most the packets of the last 2 seconds. */
  readonly payloads: readonly string[];
}

/** Servers, channels, users and roles of the simulator. */
export interface SimPlaces {
  readonly servers: readonly SimServer[];
  readonly channels: readonly SimChannel[];
  readonly users: readonly SimUser[];
  readonly roles: readonly SimRole[];
}

/** Everything that the page shows, except messages. */
export interface SimSnapshot extends SimPlaces {
  /** Version of this format. */
  readonly v: 1;
  readonly emojis: readonly SimEmoji[];
  /** The first bot, which a simulator always has. */
  readonly bot: SimBot;
  /** All bots, the first one included. */
  readonly bots: readonly SimBot[];
  /** The commands of all bots. */
  readonly commands: readonly SimCommand[];
  /** The latest 200 interactions, oldest first. */
  readonly interactions: readonly SimInteraction[];
  readonly voice: readonly SimVoice[];
  readonly problems: readonly SimProblem[];
  readonly clock: SimClockState;
  /** Address that opens a file of the bot in an editor, with `{file}`, `{line}` and `{column}`; `null` if there is none. */
  readonly editor: string | null;
  readonly profile: Profile;
  readonly assumptions: Readonly<Record<keyof Profile, string>>;
}

/** A frame on `/_ui`, from the simulator to the page: the events of one turn, in order. */
export type SimFrame = readonly SimEvent[];

/** An event of the simulator. */
export type SimEvent =
  /** The first event of a connection. */
  | { readonly type: 'snapshot'; readonly snapshot: SimSnapshot }
  /** A message was added, `isNew`, or changed; a deleted one has `isDeleted`. */
  | { readonly type: 'message'; readonly message: SimMessage; readonly isNew?: boolean }
  | {
      readonly type: 'typing';
      readonly channelId: string;
      readonly userId: string;
      readonly forMs: number;
    }
  | { readonly type: 'interaction'; readonly interaction: SimInteraction }
  | { readonly type: 'commands'; readonly commands: readonly SimCommand[] }
  /** A bot was added, or its connection changed. */
  | { readonly type: 'bot'; readonly bot: SimBot }
  | { readonly type: 'voice'; readonly voice: SimVoice }
  | { readonly type: 'problems'; readonly problems: readonly SimProblem[] }
  | { readonly type: 'clock'; readonly clock: SimClockState }
  /** A user, server, channel or role was added or changed. */
  | { readonly type: 'places'; readonly places: SimPlaces }
  /** Changed code is in use from now on. */
  | { readonly type: 'reloaded'; readonly files: readonly string[] };
