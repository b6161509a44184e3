// What the simulator and its page say to each other, beside the platform's own interface:
// `/_sim/*` over HTTP and `/_ui` over a WebSocket. Not part of the Bot Interface.
import type { BotMe, Channel, Server } from '../protocol/identity.js';
import type { Command } from '../protocol/commands.js';
import type { Message } from '../protocol/messages.js';
import type { Profile } from '../protocol/profile.js';
import type { ReactionSummary } from '../protocol/reactions.js';
import type { VoiceParticipant } from '../protocol/voice.js';

/** Someone who can write in the simulator. */
export interface SimUser {
  readonly id: string;
  readonly username: string;
  readonly displayName: string;
  readonly isBot: boolean;
  /** What they are here, such as `owner`; empty for an ordinary member. */
  readonly role: string;
  /** Lets the page act as this user; absent for bots. A throwaway value that opens nothing but this simulator. */
  readonly token?: string | undefined;
}

export interface SimServer extends Server {
  /** The servers where the bot is not installed are absent from GET /servers. */
  readonly botInstalled: boolean;
  readonly memberIds: readonly string[];
}

export interface SimChannel extends Channel {
  /** False when a permission override hides the channel from the bot. */
  readonly visibleToBot: boolean;
}

/** One emoji under a message, and who gave it. `me` is the bot. */
export interface SimReaction extends ReactionSummary {
  /** In the order in which they reacted; as many as `count`. */
  readonly userIds: readonly string[];
}

/** A message, and what the page shows beside it. */
export interface SimMessage extends Message {
  readonly reactions: readonly SimReaction[];
  /** The interaction this message answers or follows up. */
  readonly interactionId: string | null;
}

/** A page of a channel's messages, oldest first. */
export interface SimMessagePage {
  readonly messages: readonly SimMessage[];
  readonly hasMore: boolean;
}

/** `waiting` has no answer of any kind; `acknowledged` shows nothing; `deferred` shows the thinking state. */
export type SimInteractionState = 'waiting' | 'acknowledged' | 'deferred' | 'answered' | 'expired';

/** One run of a slash command. */
export interface SimInteraction {
  readonly id: string;
  readonly serverId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly commandName: string;
  readonly rawInput: string;
  readonly state: SimInteractionState;
  /** Whether it was ever deferred; tells which of the two windows an expired one missed. */
  readonly wasDeferred: boolean;
  readonly createdAt: string;
  /** When it expires as things stand; null once nothing is awaited. */
  readonly expiresAt: string | null;
  /** The message that is the answer. */
  readonly responseMessageId: string | null;
}

export interface SimBot extends BotMe {
  /** Whether a socket that identified is open. */
  readonly connected: boolean;
  /** How often a socket identified since the start. */
  readonly identifies: number;
}

export interface SimVoice {
  readonly channelId: string;
  readonly participants: readonly VoiceParticipant[];
  /** Whether a WHIP ingress is open; one left open is a silent participant. */
  readonly ingressOpen: boolean;
}

/** Something the developer should see on the page, such as a file that does not compile. */
export interface SimProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  /** `commands/play.ts:14:22` */
  readonly where?: string | undefined;
  /** Lines of source around the place, plain text. */
  readonly frame?: string | undefined;
}

/** Everything the page needs to draw itself, messages excepted. Body of GET /_sim/snapshot. */
export interface SimSnapshot {
  /** Version of this format. */
  readonly v: 1;
  readonly servers: readonly SimServer[];
  readonly channels: readonly SimChannel[];
  readonly users: readonly SimUser[];
  readonly bot: SimBot;
  readonly commands: readonly Command[];
  /** The last 200, oldest first. */
  readonly interactions: readonly SimInteraction[];
  readonly voice: readonly SimVoice[];
  readonly problems: readonly SimProblem[];
  readonly profile: Profile;
  readonly assumptions: Readonly<Record<keyof Profile, string>>;
}

/** One frame on `/_ui`, from the simulator to the page. */
export type SimEvent =
  /** The first frame of a connection. */
  | { readonly type: 'snapshot'; readonly snapshot: SimSnapshot }
  /** A message is new or changed; a deleted one has `isDeleted`. */
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
