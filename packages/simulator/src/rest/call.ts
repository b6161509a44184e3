import type {
  CreateBotMessageRequest,
  CreateUploadSessionRequest,
  EditMessageRequest,
  Endpoint,
  EndpointName,
  InteractionResponseRequest,
  MessageContextQuery,
  MessagePageQuery,
  ReactionMutationRequest,
  ReactionQuery,
  runCommandRequestSchema,
  syncCommandsRequestSchema,
} from '@virgule/core/protocol';
import type * as z from 'zod';
import { authorizeBot, channelOfBot, liveMessage } from '../world/access.js';
import type { ChannelRecord, MessageRecord, UserRecord } from '../world/state.js';
import type { World } from '../world/world.js';

/** The parsed body of each endpoint with a body. */
interface Bodies {
  readonly 'messages.send': CreateBotMessageRequest;
  readonly 'messages.edit': EditMessageRequest;
  readonly 'reactions.remove': ReactionMutationRequest;
  readonly 'reactions.add': ReactionMutationRequest;
  readonly 'reactions.removeUser': ReactionMutationRequest;
  readonly 'attachments.openUpload': CreateUploadSessionRequest;
  readonly 'commands.replace': z.output<typeof syncCommandsRequestSchema>;
  readonly 'interactions.followUp': InteractionResponseRequest;
  readonly 'interactions.editResponse': EditMessageRequest;
  readonly 'interactions.respond': InteractionResponseRequest;
  readonly 'user.runCommand': z.output<typeof runCommandRequestSchema>;
}

/** The parsed query of each endpoint with a query, including defaults. */
interface Queries {
  readonly 'messages.list': MessagePageQuery & { readonly limit: number };
  readonly 'messages.context': Required<MessageContextQuery>;
  readonly 'reactions.list': ReactionQuery;
  readonly 'reactions.details': ReactionQuery;
}

/** A valid request to an endpoint. */
export interface Call<Name extends EndpointName = EndpointName> {
  readonly endpoint: Endpoint;
  readonly world: World;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Name extends keyof Bodies ? Bodies[Name] : undefined;
  readonly query: Name extends keyof Queries ? Queries[Name] : undefined;
  /** Origin that the caller used for the simulator, such as `http://host`. */
  readonly origin: string;
  /** The bot or user with the token of the request. */
  readonly caller: UserRecord;
}

export type AnyCall = Pick<Call, 'endpoint' | 'world' | 'parameters' | 'caller'>;

/** Returns a path parameter of the endpoint. */
export function parameter({ parameters }: AnyCall, name: string): string {
  return parameters[name] ?? '';
}

/** Returns the channel in the path, which the bot must see. */
export function channelOf(call: AnyCall): ChannelRecord {
  return channelOfBot(call.world, parameter(call, 'channelId'), call.caller.id);
}

/** Returns the message in the path, if the bot has the permissions and authorship that the endpoint requires. */
export function messageOf(call: AnyCall): {
  readonly channel: ChannelRecord;
  readonly message: MessageRecord;
} {
  const channel = channelOf(call);
  const message = liveMessage(call.world, channel, parameter(call, 'messageId'));
  authorizeBot(call.endpoint, channel, message, call.caller.id);
  return { channel, message };
}
