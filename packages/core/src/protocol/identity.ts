// Source: Bot Interface, "Resources and their fields": Bot identity, Server, Channel, Custom emoji.
import * as z from 'zod';
import { idSchema, int32Schema, nullableField } from './values.js';

/** The identity of the bot (BotMeDto). */
export interface BotMe {
  readonly applicationId: string;
  readonly botUserId: string;
  readonly username: string;
  readonly displayName: string;
}
export const botMeSchema = z.looseObject({
  applicationId: idSchema,
  botUserId: idSchema,
  username: z.string(),
  displayName: z.string(),
}) satisfies z.ZodType<BotMe>;

/** A server where the bot is installed (BotServerDto). */
export interface Server {
  readonly id: string;
  readonly name: string;
  readonly memberCount: number;
}
export const serverSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  memberCount: int32Schema,
}) satisfies z.ZodType<Server>;

/** A channel the bot can see (BotChannelDto). */
export interface Channel {
  readonly id: string;
  readonly serverId: string;
  readonly name: string;
  /** Assumed to be `text` or `voice`; the allowed values are not specified, so any string is valid. */
  readonly type: string;
  readonly position: number;
  readonly topic: string | null;
}
export const channelSchema = z.looseObject({
  id: idSchema,
  serverId: idSchema,
  name: z.string(),
  type: z.string(),
  position: int32Schema,
  topic: nullableField(z.string()),
}) satisfies z.ZodType<Channel>;

/** A custom emoji that can be used in a server (CustomEmojiDto). */
export interface CustomEmoji {
  readonly id: string;
  readonly name: string;
  readonly imageUrl: string;
  readonly sourceServerId: string;
  readonly sourceServerName: string;
  /** `true` if the emoji belongs to another server than the server in the request. */
  readonly isExternal: boolean;
  readonly isAnimated: boolean;
}
export const customEmojiSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  imageUrl: z.string(),
  sourceServerId: idSchema,
  sourceServerName: z.string(),
  isExternal: z.boolean(),
  isAnimated: z.boolean(),
}) satisfies z.ZodType<CustomEmoji>;
