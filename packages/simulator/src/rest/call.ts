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
  RunCommandRequest,
  SyncCommandsRequest,
} from '@virgule/core/protocol';
import { authorizeBot, channelOfBot, liveMessage } from '../world/access.js';
import type { ChannelRecord, MessageRecord, UserRecord } from '../world/state.js';
import type { World } from '../world/world.js';

/** What the schema of each row with a body makes of it. */
interface Bodies {
  readonly 'messages.send': CreateBotMessageRequest;
  readonly 'messages.edit': EditMessageRequest;
  readonly 'reactions.remove': ReactionMutationRequest;
  readonly 'reactions.add': ReactionMutationRequest;
  readonly 'reactions.removeUser': ReactionMutationRequest;
  readonly 'attachments.openUpload': CreateUploadSessionRequest;
  readonly 'commands.replace': SyncCommandsRequest;
  readonly 'interactions.followUp': InteractionResponseRequest;
  readonly 'interactions.editResponse': EditMessageRequest;
  readonly 'interactions.respond': InteractionResponseRequest;
  readonly 'user.runCommand': RunCommandRequest;
}

/** What the schema of each row with a query makes of it, its defaults filled in. */
interface Queries {
  readonly 'messages.list': MessagePageQuery & { readonly limit: number };
  readonly 'messages.context': Required<MessageContextQuery>;
  readonly 'reactions.list': ReactionQuery;
  readonly 'reactions.details': ReactionQuery;
}

/** A request to one endpoint, after everything that its row says was checked. */
export interface Call<Name extends EndpointName = EndpointName> {
  readonly endpoint: Endpoint;
  readonly world: World;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Name extends keyof Bodies ? Bodies[Name] : undefined;
  readonly query: Name extends keyof Queries ? Queries[Name] : undefined;
  /** `http://host` by which the caller reached us. */
  readonly origin: string;
  /** On whose behalf: the bot, or the user whose token was sent. */
  readonly caller: UserRecord;
}

/** Gives the body of the answer; `undefined` stands for "no body". */
type Handler<Name extends EndpointName> = (call: Call<Name>) => unknown;

/** One handler per row of the table. A row without one does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Name> };

export type AnyCall = Pick<Call, 'endpoint' | 'world' | 'parameters'>;

/** A path parameter that the row has. */
export function parameter({ parameters }: AnyCall, name: string): string {
  return parameters[name] ?? '';
}

/** The channel in the path, which the bot must see. */
export function channelOf(call: AnyCall): ChannelRecord {
  return channelOfBot(call.world, parameter(call, 'channelId'));
}

/** The message in the path, after the row's rules about permissions and authorship. */
export function messageOf(call: AnyCall): {
  readonly channel: ChannelRecord;
  readonly message: MessageRecord;
} {
  const channel = channelOf(call);
  const message = liveMessage(call.world, channel, parameter(call, 'messageId'));
  authorizeBot(call.world, call.endpoint, channel, message);
  return { channel, message };
}
