import type { Endpoint } from '@virgule/core/protocol';
import { authorizeBot, channelOfBot, liveMessage } from '../world/access.js';
import type { ChannelRecord, UserRecord } from '../world/state.js';
import type { World } from '../world/world.js';

/** A valid request to an endpoint, with its parsed body and its parsed query, which includes defaults. */
export interface Call<Body = unknown, Query = unknown> {
  readonly endpoint: Endpoint;
  readonly world: World;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly query: Query;
  /** Origin that the caller used for the simulator, such as `http://host`. */
  readonly origin: string;
  /** The bot or user with the token of the request. */
  readonly caller: UserRecord;
}

/** Returns a path parameter of the endpoint. */
export const parameter = ({ parameters }: Call, name: string): string => parameters[name] ?? '';

/** Returns the channel in the path, which the bot must see. */
export const channelOf = (call: Call): ChannelRecord =>
  channelOfBot(call.world, parameter(call, 'channelId'), call.caller.id);

/** Returns the message in the path, if the bot has the permissions and authorship that the endpoint requires. */
export function messageOf(call: Call) {
  const channel = channelOf(call);
  const message = liveMessage(call.world, channel, parameter(call, 'messageId'));
  authorizeBot(call.endpoint, channel, message, call.caller.id);
  return { channel, message };
}
