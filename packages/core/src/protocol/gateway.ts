// Source: Bot Interface, "Events".
import * as z from 'zod';
import { isRecord } from '../objects/is-object.js';
import { assumed } from './assumed.js';
import { botMeSchema } from './identity.js';
import { messageSchema } from './messages.js';
import { reactionEmojiSchema } from './reactions.js';
import { idSchema, int32Schema, type FieldsOf } from './values.js';
import { voiceParticipantSchema } from './voice.js';

/** Path of the gateway, relative to `{gateway_url}`. */
export const GATEWAY_PATH = '/gateway/bot';

/** The values of `op`. */
export const OPS = ['HELLO', 'IDENTIFY', 'HEARTBEAT', 'HEARTBEAT_ACK', 'DISPATCH'] as const;

/** Any frame. Unknown values of `op` and `t` pass through. */
export interface Frame extends FieldsOf<typeof frameSchema> {}
export const frameSchema = z.looseObject({
  op: z.string(),
  // Without optional(), a frame without a payload, such as HEARTBEAT, is invalid.
  d: z.unknown().optional(),
  /** The event name; only on DISPATCH. */
  t: z.string().optional(),
});

/** `d` of HELLO. */
export const helloSchema = z.looseObject({
  /** Time between heartbeats, in milliseconds (the unit is known from the public guide). */
  heartbeatInterval: z.number(),
});

/** `d` of READY. */
export interface Ready extends FieldsOf<typeof readySchema> {}
export const readySchema = botMeSchema.extend({ serverIds: z.array(idSchema) });

export const INTENTS = [
  'SERVER_MESSAGES',
  'MESSAGE_REACTIONS',
  'SERVER_VOICE',
  'APPLICATION_COMMANDS',
] as const;
/** Name of an intent. A bot receives the events of the intents that it subscribes to. */
export type Intent = (typeof INTENTS)[number];

/** `d` of IDENTIFY. */
export const identifySchema = z.looseObject({
  token: z.string(),
  /** The events to deliver. @defaultValue all */
  intents: z.array(z.enum(INTENTS)).optional(),
});

/** `d` of APPLICATION_COMMAND: a user ran a slash command. */
export interface ApplicationCommandEvent extends FieldsOf<typeof applicationCommandEventSchema> {}
export const applicationCommandEventSchema = z.looseObject({
  interactionId: idSchema,
  serverId: idSchema,
  channelId: idSchema,
  /** Name of the command. */
  name: z.string(),
  /** The line as typed, with the slash. */
  rawInput: z.string(),
});

/** `d` of MESSAGE_CREATE and MESSAGE_UPDATE: assumed to be the message and the id of its server. */
export interface MessageEvent extends FieldsOf<typeof messageEventSchema> {}
export const messageEventSchema = assumed(
  messageSchema.extend({ serverId: idSchema.optional() }),
  'the payload of MESSAGE_CREATE and MESSAGE_UPDATE',
);

/** `d` of MESSAGE_DELETE: ids only (the set of ids is assumed). */
export interface MessageDeleteEvent extends FieldsOf<typeof messageDeleteEventSchema> {}
export const messageDeleteEventSchema = assumed(
  z.preprocess(
    // The platform may name the id of the message `id`; readers get one form.
    (value) =>
      isRecord(value) && !('messageId' in value) && 'id' in value
        ? { ...value, messageId: value['id'] }
        : value,
    z.looseObject({ serverId: idSchema.optional(), channelId: idSchema, messageId: idSchema }),
  ),
  'the identifiers in MESSAGE_DELETE',
);

/** `d` of MESSAGE_REACTION_ADD, and (assumed) of MESSAGE_REACTION_REMOVE. */
export interface ReactionEvent extends FieldsOf<typeof reactionEventSchema> {}
export const reactionEventSchema = z.looseObject({
  serverId: idSchema,
  channelId: idSchema,
  messageId: idSchema,
  userId: idSchema,
  emoji: reactionEmojiSchema,
  /** Number of users who reacted with this emoji. Specified for ADD, assumed to be optional on REMOVE. */
  count: int32Schema.optional(),
});

/** `d` of VOICE_STATE_UPDATE (all assumed). */
export interface VoiceStateEvent extends FieldsOf<typeof voiceStateEventSchema> {}
export const voiceStateEventSchema = assumed(
  z.looseObject({
    serverId: idSchema,
    /** Null when the user left. */
    channelId: idSchema.nullable(),
    userId: idSchema,
    participants: z.array(voiceParticipantSchema).optional(),
  }),
  'the payload of VOICE_STATE_UPDATE',
);

/** The payload of each event, by name. */
export interface EventPayloads {
  readonly MESSAGE_CREATE: MessageEvent;
  readonly MESSAGE_UPDATE: MessageEvent;
  readonly MESSAGE_DELETE: MessageDeleteEvent;
  readonly MESSAGE_REACTION_ADD: ReactionEvent & { readonly count: number };
  readonly MESSAGE_REACTION_REMOVE: ReactionEvent;
  readonly VOICE_STATE_UPDATE: VoiceStateEvent;
  readonly APPLICATION_COMMAND: ApplicationCommandEvent;
}
/** The name of an event of the gateway. */
export type EventName = keyof EventPayloads;

/** The seven events, each with its intent (Bot Interface, "Intents and events"). */
export const EVENTS: {
  readonly [Name in EventName]: {
    readonly intent: Intent;
    readonly payload: z.ZodType<EventPayloads[Name]>;
  };
} = {
  MESSAGE_CREATE: { intent: 'SERVER_MESSAGES', payload: messageEventSchema },
  MESSAGE_UPDATE: { intent: 'SERVER_MESSAGES', payload: messageEventSchema },
  MESSAGE_DELETE: { intent: 'SERVER_MESSAGES', payload: messageDeleteEventSchema },
  MESSAGE_REACTION_ADD: {
    intent: 'MESSAGE_REACTIONS',
    payload: reactionEventSchema.required({ count: true }),
  },
  MESSAGE_REACTION_REMOVE: {
    intent: 'MESSAGE_REACTIONS',
    payload: assumed(reactionEventSchema, 'the payload of MESSAGE_REACTION_REMOVE'),
  },
  VOICE_STATE_UPDATE: { intent: 'SERVER_VOICE', payload: voiceStateEventSchema },
  APPLICATION_COMMAND: { intent: 'APPLICATION_COMMANDS', payload: applicationCommandEventSchema },
};

/** Other names of events in the Bot Interface: the voice-state endpoint mentions VoiceStateChanged. */
export const EVENT_ALIASES: Readonly<Record<string, EventName>> = {
  VoiceStateChanged: 'VOICE_STATE_UPDATE',
};
