// The interface between the simulator and its chat page: `/_sim/*` over HTTP and `/_ui` over a
// WebSocket. Not part of the Bot Interface.
import type { BotMe, Channel, Server } from '../protocol/identity.js';
import type { Command } from '../protocol/commands.js';
import type { Permission } from '../protocol/endpoint.js';
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

/** A role of a server. Its mention is `<@&id>` (assumed). */
export interface SimRole {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  readonly memberIds: readonly string[];
}

/** A custom emoji of a server. It can be used there, and in other servers if the bot is installed in its own. */
export interface SimEmoji {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  /** Path of its image on the simulator. */
  readonly imageUrl: string;
  readonly isAnimated: boolean;
}

export interface SimChannel extends Channel {
  /** Whether the bot can see the channel; false if a permission override hides it. */
  readonly visibleToBot: boolean;
  /** Permissions of the bot in the channel. */
  readonly botPermissions: readonly Permission[];
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
  /** Whether the bot logged an error of it. */
  readonly hasFailed: boolean;
  readonly createdAt: string;
  /** Time of the next expiry; null once no response is expected. */
  readonly expiresAt: string | null;
  /** Id of the message that is the answer. */
  readonly responseMessageId: string | null;
}

/** Body of GET /_sim/interactions/{interactionId}. */
export interface SimInteractionDetail {
  readonly interaction: SimInteraction;
  /** The answer and the follow-ups, oldest first; deleted ones are marked and empty. */
  readonly messages: readonly SimMessage[];
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

/** The clock of the world: messages, interactions, uploads. Connections have the real time. */
export interface SimClockState {
  /** Time by which it is ahead of the real one; negative after a pause. Without meaning during a pause. */
  readonly offsetMs: number;
  /** Its time while it is paused, in milliseconds since 1970; `null` otherwise. */
  readonly pausedAtMs: number | null;
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
  /** Answered with `SimCommandFile[]`. */
  | { readonly type: 'commands' }
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

/** A command of the bot, and where it is. */
export interface SimCommandFile {
  readonly name: string;
  /** Path from the bot's folder. */
  readonly file: string;
}

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

/**
 * Header with which a bot in development names the interaction or message that it handles, so that the trace shows its
 * requests there. Only sent to a simulator.
 */
export const SIM_CAUSE_HEADER = 'x-virgule-cause';

/**
 * Something that happened: a request, a frame of the gateway, an entry of the bot's log, or something that the
 * simulator did by itself.
 */
export interface SimTraceRow {
  /** Increases by one with each row. */
  readonly id: number;
  /** When it began: milliseconds since 1970, with fractions. */
  readonly atMs: number;
  readonly kind: 'request' | 'frame' | 'log' | 'notice';
  /** Who did it. */
  readonly from: 'bot' | 'user' | 'platform';
  /** Such as `POST …/interactions/…/defer`, `APPLICATION_COMMAND /roll 20` or the message of a log entry. */
  readonly what: string;
  /** Id of the interaction, or else of the message, that it belongs to. */
  readonly group: string | null;
  readonly isError: boolean;
  /** Number of the endpoint in the Bot Interface. */
  readonly endpoint?: number | undefined;
  /** HTTP status, or close code. */
  readonly status?: number | undefined;
  readonly tookMs?: number | undefined;
  /** How long each part of a command took, in milliseconds, by the name in its log entry. */
  readonly timings?: Readonly<Record<string, number>> | undefined;
}

export interface SimTraceDetail extends SimTraceRow {
  readonly sections: readonly SimTraceSection[];
}

/** A part of a row, such as a body. Secrets are masked. */
export interface SimTraceSection {
  readonly title: string;
  /** JSON, or plain text; the first 65,536 characters. */
  readonly text: string;
  /** Characters of the whole text. */
  readonly length: number;
}

/** Body of GET /_sim/trace. */
export interface SimTracePage {
  /** In the order of their ids. */
  readonly rows: readonly SimTraceRow[];
  readonly hasMore: boolean;
  /** Id of the oldest row that is kept. */
  readonly firstId: number;
  /** Id of the newest row of all; smaller than before after the simulator was started again. */
  readonly lastId: number;
}

/**
 * What a fault does. Of requests: all up to `expire`; of frames: all from `delay` on, except `hang`; of connections:
 * `status` and `cut`.
 */
export type SimFaultEffect =
  | {
      readonly type: 'status';
      readonly status: number;
      /** Value of `Retry-After`: seconds, or any text. */
      readonly retryAfter?: number | string | undefined;
      /** @defaultValue that of the platform for the status */
      readonly code?: string | undefined;
      /** @defaultValue `json`, the error body of the platform */
      readonly body?: 'json' | 'html' | 'empty' | undefined;
      /** Whether the request is carried out first. @defaultValue `false` */
      readonly after?: boolean | undefined;
    }
  /** A real rate limit: at most so many requests in each window, each channel by itself with `per: 'channel'`. */
  | {
      readonly type: 'limit';
      readonly limit: number;
      readonly perMs: number;
      /** @defaultValue `bot` */
      readonly per?: 'bot' | 'channel' | undefined;
    }
  /** The interaction in the path expires before the request is carried out. */
  | { readonly type: 'expire' }
  /** Nothing is ever answered. */
  | { readonly type: 'hang' }
  /** The connection breaks: before the request is carried out, after it, or in the middle of the response. */
  | { readonly type: 'cut'; readonly when?: 'before' | 'after' | 'within' | undefined }
  | { readonly type: 'delay'; readonly ms: number; readonly jitterMs?: number | undefined }
  /** These fields are missing, of the response or of `d`. */
  | { readonly type: 'omit'; readonly fields: readonly string[] }
  | { readonly type: 'lose' }
  | { readonly type: 'duplicate' }
  /** It comes after the next frame, or a second later. */
  | { readonly type: 'reorder' }
  | { readonly type: 'malformed' }
  | { readonly type: 'close'; readonly code: number }
  /** Nothing is sent or received on this connection any more, and nothing closes it. */
  | { readonly type: 'silence' };

/** A rule by which the simulator misbehaves. The first rule that applies decides. */
export interface SimFaultRule {
  readonly name: string;
  /**
   * What it applies to: requests by name or number of their endpoint, `upload`, or `*`; frames by event or operation, or
   * `*`; new gateway connections.
   */
  readonly on:
    | { readonly request: string | number }
    | { readonly frame: string }
    | { readonly connect: true };
  readonly do: SimFaultEffect;
  /** How many of those that it applies to pass first. @defaultValue 0 */
  readonly skip?: number | undefined;
  /** How often it takes effect. @defaultValue without an end */
  readonly times?: number | undefined;
  /** From 0 to 1, decided by the seed. @defaultValue 1 */
  readonly probability?: number | undefined;
  /** How long it applies, in milliseconds from when it is set. @defaultValue without an end */
  readonly forMs?: number | undefined;
}

/** Body of PUT /_sim/faults, and what a file of faults contains. */
export interface SimFaults {
  /** The same seed decides the same. @defaultValue '1' */
  readonly seed?: string | undefined;
  readonly rules: readonly SimFaultRule[];
}

/** Rules under a name, and what a good bot does about them. */
export interface SimFaultPreset extends SimFaults {
  readonly name: string;
  /** What the platform does, in a sentence. */
  readonly does: string;
  /** What the bot should do then, in a sentence. */
  readonly expected: string;
  /** How many commands may expire by it. @defaultValue none */
  readonly mayExpire?: number | undefined;
  /** Whether it takes the connection away: what happens until the bot is back is lost, on the real platform too. */
  readonly disconnects?: boolean | undefined;
}

/** Body of GET /_sim/faults. */
export interface SimFaultState {
  readonly seed: string;
  /** With how often each took effect. */
  readonly rules: readonly (SimFaultRule & { readonly hits: number })[];
  readonly presets: readonly SimFaultPreset[];
}

/** What the open ingress of a voice channel has received. Body of GET /_sim/voice/{channelId}/audio; `null` if nothing publishes. */
export interface SimAudio {
  readonly packets: number;
  readonly lost: number;
  readonly isStereo: boolean;
  /** Number of the first one of `payloads`, counted from 0. */
  readonly first: number;
  /** Opus packets from number `after` of the query on, at most those of the last 2 seconds, in base64. */
  readonly payloads: readonly string[];
}

/** Who and what there is in the simulator. */
export interface SimPlaces {
  readonly servers: readonly SimServer[];
  readonly channels: readonly SimChannel[];
  readonly users: readonly SimUser[];
  readonly roles: readonly SimRole[];
}

/** Everything that the page shows, except messages. Body of GET /_sim/snapshot. */
export interface SimSnapshot extends SimPlaces {
  /** Version of this format. */
  readonly v: 1;
  readonly emojis: readonly SimEmoji[];
  readonly bot: SimBot;
  readonly commands: readonly Command[];
  /** The latest 200, oldest first. */
  readonly interactions: readonly SimInteraction[];
  readonly voice: readonly SimVoice[];
  readonly problems: readonly SimProblem[];
  readonly clock: SimClockState;
  /** Address that opens a file of the bot in an editor, with `{file}`, `{line}` and `{column}`; `null` if there is none. */
  readonly editor: string | null;
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
  | { readonly type: 'problems'; readonly problems: readonly SimProblem[] }
  | { readonly type: 'clock'; readonly clock: SimClockState }
  /** A user, server, channel or role was added or changed. */
  | { readonly type: 'places'; readonly places: SimPlaces }
  /** Changed code answers from now on. */
  | { readonly type: 'reloaded'; readonly files: readonly string[] };
