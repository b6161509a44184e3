// Access control. The rules for the bot come from the Bot Interface ("Behaviour rules per endpoint", "Authentication").
import type { Endpoint } from '@virgule/core/protocol';
import { listOf } from '@virgule/core/text';
import { forbidden, invalid, notFound } from './refusal.js';
import type { ChannelRecord, MessageRecord, ServerRecord } from './state.js';
import type { World } from './world.js';

/** Returns a server where the bot is installed; others do not exist for the bot. */
export function installedServer(world: World, serverId: string, botUserId: string): ServerRecord {
  const server = world.state.servers.get(serverId);
  if (server?.botIds.includes(botUserId) !== true) throw notFound('server', serverId);
  return server;
}

/** Returns whether a bot is installed in the server of a channel that is not hidden from bots. */
export function botSees(world: World, channel: ChannelRecord, botUserId: string): boolean {
  const server = world.state.servers.get(channel.serverId);
  return channel.visibleToBot && server?.botIds.includes(botUserId) === true;
}

/** Returns a channel that the bot sees; others do not exist for the bot. */
export function channelOfBot(world: World, channelId: string, botUserId: string): ChannelRecord {
  const channel = requireRecord(world.state.channels, 'channel', channelId);
  if (!botSees(world, channel, botUserId)) throw notFound('channel', channelId);
  return channel;
}

/** Returns a channel of a server that the user is a member of. */
export function channelOfUser(world: World, channelId: string, userId: string): ChannelRecord {
  const channel = requireRecord(world.state.channels, 'channel', channelId);
  const server = world.state.servers.get(channel.serverId);
  if (server?.memberIds.includes(userId) !== true) throw notFound('channel', channelId);
  return channel;
}

/** Requires a kind of channel: text channels for messages, voice channels for participants (assumed). */
export function requireKind(channel: ChannelRecord, kind: ChannelRecord['kind']) {
  if (channel.kind === kind) return;
  const is = `is a ${channel.kind} channel, not a ${kind} channel.`;
  throw invalid('channelId', `The channel ${channel.name} ${is}`);
}

/** Returns a record. @throws Refusal if no record has this id. */
export function requireRecord<Item>(
  records: ReadonlyMap<string, Item>,
  kind: string,
  id: string,
): Item {
  const record = records.get(id);
  if (record === undefined) throw notFound(kind, id);
  return record;
}

/** Returns a message of the channel that is not deleted. */
export function liveMessage(world: World, channel: ChannelRecord, messageId: string) {
  const message = requireRecord(world.state.messages, 'message', messageId);
  if (message.channelId !== channel.id || message.isDeleted) throw notFound('message', messageId);
  return message;
}

/** Checks that the bot has the permissions and authorship that the endpoint requires. */
export function authorizeBot(
  endpoint: Endpoint,
  channel: ChannelRecord,
  message: MessageRecord,
  botUserId: string,
): void {
  const isAuthor = message.authorId === botUserId;
  if (endpoint.author === 'required' && !isAuthor)
    throw forbidden('Only the author of a message may do this.', { messageId: message.id });
  const wanted = endpoint.anyPermission;
  if (wanted === undefined || (endpoint.author === 'instead-of-permission' && isAuthor)) return;
  if (!wanted.some((permission) => channel.botPermissions.includes(permission))) {
    throw forbidden(`The bot needs ${listOf(wanted, 'or')} in ${channel.name}.`, {
      permissions: wanted,
    });
  }
}
