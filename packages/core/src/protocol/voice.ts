// Source: Bot Interface, "Voice bodies" and endpoints 20 to 24.
import * as z from 'zod';
import { assumed, assumedPart } from './assumed.js';
import { idSchema, type FieldsOf } from './values.js';

/** A user in a voice channel (VoiceParticipantDto; all fields assumed, other forms pass through unchanged). */
export interface VoiceParticipant extends FieldsOf<typeof voiceParticipantSchema> {}
export const voiceParticipantSchema = assumed(
  z.looseObject({ userId: idSchema, username: z.string(), displayName: z.string() }),
  'the fields of VoiceParticipantDto',
);

/** Address and token of the media server (BotVoiceJoinResponseDto). */
export interface VoiceJoin extends FieldsOf<typeof voiceJoinSchema> {}
export const voiceJoinSchema = z.looseObject({
  /** A secret that grants access to the media server. */
  token: z.string(),
  url: z.string(),
  channelId: idSchema,
  participants: z.array(assumedPart(voiceParticipantSchema)),
});

/** An open WHIP ingress (BotVoiceIngressResponseDto). Close it when the stream ends. */
export interface VoiceIngress extends FieldsOf<typeof voiceIngressSchema> {}
export const voiceIngressSchema = z.looseObject({
  ingressId: z.string(),
  url: z.string(),
  /** A secret that grants the right to publish. */
  streamKey: z.string(),
  channelId: idSchema,
  participants: z.array(assumedPart(voiceParticipantSchema)),
});

/** The users in the voice channels of a server (response of endpoint 24; the whole form is assumed). */
export interface VoiceState extends FieldsOf<typeof voiceStateSchema> {}
export const voiceStateSchema = assumed(
  z.looseObject({
    serverId: idSchema,
    channels: z.array(
      z.looseObject({ channelId: idSchema, participants: z.array(voiceParticipantSchema) }),
    ),
  }),
  'the form of the voice-state snapshot',
);
