// Source: Bot Interface, "Resources and their fields": Bot identity, Server, Channel, Custom emoji.
import * as z from 'zod';
import { idSchema, int32Schema, nullableField, type FieldsOf } from './values.js';

/** The identity of the bot (BotMeDto). */
export interface BotMe extends FieldsOf<typeof botMeSchema> {}
export const botMeSchema = z.looseObject({
  applicationId: idSchema,
  botUserId: idSchema,
  username: z.string(),
  displayName: z.string(),
});

/** A server where the bot is installed (BotServerDto). */
export interface Server extends FieldsOf<typeof serverSchema> {}
export const serverSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  memberCount: int32Schema,
});

/** A channel the bot can see (BotChannelDto). */
export interface Channel extends FieldsOf<typeof channelSchema> {}
export const channelSchema = z.looseObject({
  id: idSchema,
  serverId: idSchema,
  name: z.string(),
  /** Assumed to be `text` or `voice`; the allowed values are not specified, so any string is valid. */
  type: z.string(),
  position: int32Schema,
  topic: nullableField(z.string()),
});

/** A custom emoji that can be used in a server (CustomEmojiDto). */
export interface CustomEmoji extends FieldsOf<typeof customEmojiSchema> {}
export const customEmojiSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  imageUrl: z.string(),
  sourceServerId: idSchema,
  sourceServerName: z.string(),
  /** `true` if the emoji belongs to another server than the server in the request. */
  isExternal: z.boolean(),
  isAnimated: z.boolean(),
});
