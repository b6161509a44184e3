// Source: Bot Interface, "Endpoints" and "Behaviour rules per endpoint".
import * as z from 'zod';
import { notShown, type NotShown } from './assumed.js';
import { commandSchema, readCommandSchema, syncCommandsRequestSchema } from './commands.js';
import { botMeSchema, channelSchema, customEmojiSchema, serverSchema } from './identity.js';
import { interactionResponseRequestSchema, runCommandRequestSchema } from './interactions.js';
import {
  createBotMessageRequestSchema,
  editMessageRequestSchema,
  messageContextQuerySchema,
  messageContextSchema,
  messagePageQuerySchema,
  messagePageSchema,
  messageSchema,
} from './messages.js';
import {
  messageReactionDetailsSchema,
  messageReactionUpdateSchema,
  reactionMutationRequestSchema,
  reactionQuerySchema,
} from './reactions.js';
import {
  attachmentAccessUrlSchema,
  createUploadSessionRequestSchema,
  uploadSessionSchema,
} from './uploads.js';
import { voiceIngressSchema, voiceJoinSchema, voiceStateSchema } from './voice.js';

/** The method of a request. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Permissions that a bot can have in a server. */
export type Permission = 'ManageMessages' | 'ManageReactions';

/**
 * Retry rule for a request whose result is unknown. `safe`: retry, the request changes nothing. `repeatable`: retry,
 * the request is idempotent. `once`: do not retry. `settle`: find out the result through another endpoint.
 */
export type RetryClass = 'safe' | 'repeatable' | 'once' | 'settle';

/** One row of the table of endpoints. */
export interface Endpoint {
  /** Number in the Bot Interface; null for the user endpoint, which has none. */
  readonly number: number | null;
  readonly name: EndpointName;
  readonly method: HttpMethod;
  /** Path with `{parameters}`, relative to the prefix of the API. */
  readonly path: string;
  /** The API of the endpoint: `/api/bot/v1` for bots, `/api` for users. */
  readonly api: 'bot' | 'user';
  /** Schema of the query, whose numeric fields are numbers. */
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
  /** Schema of the response body; `null` for status 200 with an empty body. */
  readonly response: z.ZodType | NotShown | null;
  readonly retry: RetryClass;
  /** Permissions of which the bot needs at least one. */
  readonly anyPermission?: readonly Permission[] | undefined;
  /** `required`: only the author of the message may call. `instead-of-permission`: the author needs no permission. */
  readonly author?: 'required' | 'instead-of-permission' | undefined;
}

/** Prefix of each API, relative to `{base_url}`. */
export const API_PREFIX: Readonly<Record<Endpoint['api'], string>> = {
  bot: '/api/bot/v1',
  user: '/api',
};

const messages = '/channels/{channelId}/messages';
const message = `${messages}/{messageId}`;
const context = `${message}/context`;
const attachment = `${message}/attachments/{attachmentId}`;
const reactions = `${message}/reactions`;
const details = `${reactions}/details`;
const interaction = '/interactions/{interactionId}';

type Row = Omit<Endpoint, 'name' | 'api'>;

/** Returns the row of an endpoint that changes nothing. */
const read = (number: number, path: string, response: Row['response'], query?: z.ZodType): Row => ({
  number,
  method: 'GET',
  path,
  query,
  response,
  retry: 'safe',
});

/** Returns the row of an endpoint that changes something; by default, without bodies and repeatable. */
const write = (
  number: Row['number'],
  method: Row['method'],
  path: string,
  others: Partial<Row> = {},
): Row => ({ number, method, path, response: null, retry: 'repeatable', ...others });

const rows = {
  'users.me': read(1, '/users/@me', botMeSchema),
  'servers.list': read(2, '/servers', z.array(serverSchema)),
  'servers.channels': read(3, '/servers/{serverId}/channels', z.array(channelSchema)),
  'servers.emojis': read(4, '/servers/{serverId}/emojis', z.array(customEmojiSchema)),
  'messages.list': read(5, messages, messagePageSchema, messagePageQuerySchema),
  'messages.send': write(6, 'POST', messages, {
    body: createBotMessageRequestSchema,
    response: notShown(messageSchema),
    retry: 'once',
  }),
  'messages.delete': write(7, 'DELETE', message, {
    anyPermission: ['ManageMessages'],
    author: 'instead-of-permission',
  }),
  'messages.get': read(8, message, messageSchema),
  'messages.edit': write(9, 'PATCH', message, {
    body: editMessageRequestSchema,
    response: notShown(messageSchema),
    author: 'required',
  }),
  'messages.context': read(10, context, messageContextSchema, messageContextQuerySchema),
  'channels.typing': write(11, 'POST', '/channels/{channelId}/typing'),
  'reactions.clear': write(12, 'DELETE', reactions, {
    response: notShown(messageReactionUpdateSchema),
    anyPermission: ['ManageReactions', 'ManageMessages'],
  }),
  'reactions.list': read(13, reactions, notShown(messageReactionUpdateSchema), reactionQuerySchema),
  'reactions.details': read(14, details, messageReactionDetailsSchema, reactionQuerySchema),
  'reactions.remove': write(15, 'DELETE', `${reactions}/me`, {
    body: reactionMutationRequestSchema,
    response: notShown(messageReactionUpdateSchema),
  }),
  'reactions.add': write(16, 'PUT', `${reactions}/me`, {
    body: reactionMutationRequestSchema,
    response: notShown(messageReactionUpdateSchema),
  }),
  'reactions.removeUser': write(17, 'DELETE', `${reactions}/users/{userId}`, {
    body: reactionMutationRequestSchema,
    response: notShown(messageReactionUpdateSchema),
    anyPermission: ['ManageReactions'],
  }),
  'attachments.accessUrl': read(18, `${attachment}/access-url`, attachmentAccessUrlSchema),
  'attachments.openUpload': write(19, 'POST', `${messages}/attachments/upload-session`, {
    body: createUploadSessionRequestSchema,
    response: uploadSessionSchema,
  }),
  'voice.closeIngress': write(20, 'DELETE', '/channels/{channelId}/voice/ingress'),
  'voice.openIngress': write(21, 'POST', '/channels/{channelId}/voice/ingress', {
    response: voiceIngressSchema,
    retry: 'once',
  }),
  'voice.join': write(22, 'POST', '/channels/{channelId}/voice/join', {
    response: voiceJoinSchema,
  }),
  'voice.leave': write(23, 'POST', '/channels/{channelId}/voice/leave'),
  'voice.state': read(24, '/servers/{serverId}/voice-state', notShown(voiceStateSchema)),
  'commands.list': read(25, '/commands', z.array(readCommandSchema)),
  'commands.replace': write(26, 'PUT', '/commands', {
    body: syncCommandsRequestSchema,
    response: notShown(z.array(commandSchema)),
  }),
  'interactions.ack': write(27, 'POST', `${interaction}/ack`),
  'interactions.defer': write(28, 'POST', `${interaction}/defer`),
  'interactions.followUp': write(29, 'POST', `${interaction}/follow-ups`, {
    body: interactionResponseRequestSchema,
    response: notShown(messageSchema),
    retry: 'once',
  }),
  'interactions.editResponse': write(30, 'PATCH', `${interaction}/response`, {
    body: editMessageRequestSchema,
    response: notShown(messageSchema),
  }),
  'interactions.respond': write(31, 'POST', `${interaction}/response`, {
    body: interactionResponseRequestSchema,
    response: notShown(messageSchema),
    retry: 'settle',
  }),
  'user.runCommand': write(null, 'POST', '/channels/{channelId}/interactions/commands', {
    body: runCommandRequestSchema,
    response: notShown(z.looseObject({ interactionId: z.guid() })),
    retry: 'once',
  }),
};

/** The names of the 31 bot endpoints and of the user endpoint, in the order of the Bot Interface. */
export type EndpointName = keyof typeof rows;

/** All endpoints by name: 31 for bots and one for users. */
export const ENDPOINTS = Object.fromEntries(
  Object.entries(rows).map(([name, row]) => [
    name,
    { ...row, name: name as EndpointName, api: row.number === null ? 'user' : 'bot' },
  ]),
  // fromEntries loses the keys.
) as Readonly<Record<EndpointName, Endpoint>>;
