import type { z } from 'zod';
import type { NotShown } from './assumed.js';

/** The method of a request. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Permissions that a bot can have in a server. */
export type Permission = 'ManageMessages' | 'ManageReactions';

/**
 * What a client may do when it does not know whether a request took effect.
 * `safe`: retry, the request changes nothing. `repeatable`: retry, the request is idempotent.
 * `once`: do not retry. `settle`: find out through another endpoint.
 */
export type RetryClass = 'safe' | 'repeatable' | 'once' | 'settle';

/** The names of the 31 bot endpoints and of the user endpoint, in the order of the Bot Interface. */
export type EndpointName =
  | 'users.me'
  | 'servers.list'
  | 'servers.channels'
  | 'servers.emojis'
  | 'messages.list'
  | 'messages.send'
  | 'messages.delete'
  | 'messages.get'
  | 'messages.edit'
  | 'messages.context'
  | 'channels.typing'
  | 'reactions.clear'
  | 'reactions.list'
  | 'reactions.details'
  | 'reactions.remove'
  | 'reactions.add'
  | 'reactions.removeUser'
  | 'attachments.accessUrl'
  | 'attachments.openUpload'
  | 'voice.closeIngress'
  | 'voice.openIngress'
  | 'voice.join'
  | 'voice.leave'
  | 'voice.state'
  | 'commands.list'
  | 'commands.replace'
  | 'interactions.ack'
  | 'interactions.defer'
  | 'interactions.followUp'
  | 'interactions.editResponse'
  | 'interactions.respond'
  | 'user.runCommand';

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
  /** `required`: only the author of the message may. `instead-of-permission`: the author needs no permission. */
  readonly author?: 'required' | 'instead-of-permission' | undefined;
}

/** Prefix of each API, relative to `{base_url}`. */
export const API_PREFIX: Readonly<Record<Endpoint['api'], string>> = {
  bot: '/api/bot/v1',
  user: '/api',
};
