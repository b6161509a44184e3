import type { z } from 'zod';
import type { NotShown } from './assumed.js';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The permissions a bot can hold in a server. */
export type Permission = 'ManageMessages' | 'ManageReactions';

/**
 * What a client may do when it does not know whether a request took effect.
 * `safe`: send it again, it changes nothing. `repeatable`: send it again, the second time changes
 * nothing more. `once`: never send it again by itself. `settle`: find out through another endpoint.
 */
export type RetryClass = 'safe' | 'repeatable' | 'once' | 'settle';

/** The names of the 31 endpoints and of the user's one, in the order of the Bot Interface. */
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
  /** The number in the Bot Interface; null for the user's endpoint, which has none. */
  readonly number: number | null;
  readonly name: EndpointName;
  readonly method: HttpMethod;
  /** Path with `{parameters}`, relative to the prefix of its API. */
  readonly path: string;
  /** Whose API it belongs to: the bot's `/api/bot/v1` or the user's `/api`. */
  readonly api: 'bot' | 'user';
  /** Shape of the query, as objects of strings turned into numbers where the field is one. */
  readonly query?: z.ZodType | undefined;
  readonly body?: z.ZodType | undefined;
  /** Shape of the answer; `null` stands for "no body": status 200 with an empty body. */
  readonly response: z.ZodType | NotShown | null;
  readonly retry: RetryClass;
  /** Any one of these permissions is enough. */
  readonly anyPermission?: readonly Permission[] | undefined;
  /** What being the message's author means: nobody else may, or the author needs no permission. */
  readonly author?: 'required' | 'instead of permission' | undefined;
}

/** Prefix of each API, relative to `{base_url}`. */
export const API_PREFIX: Readonly<Record<Endpoint['api'], string>> = {
  bot: '/api/bot/v1',
  user: '/api',
};
