// Who may see and do what. The rules about users are the simulator's own; those about the bot come
// from the Bot Interface ("Behaviour rules per endpoint", "Authentication").
import type { Endpoint } from '@virgule/core/protocol';
import { listOf } from '@virgule/core/text';
import { forbidden, invalid, notFound } from './refusal.js';
import type { ChannelRecord, MessageRecord, ServerRecord, UserRecord } from './state.js';
import type { World } from './world.js';

/** A server where the bot is installed; any other is unknown to it. */
export function installedServer(world: World, serverId: string): ServerRecord {
  const server = world.state.servers.get(serverId);
  if (server === undefined || !server.botInstalled) throw notFound('server', serverId);
  return server;
}

/** Whether the bot sees a channel: it is installed there and no override hides it. */
export function botSees(world: World, channel: ChannelRecord): boolean {
  return channel.visibleToBot && world.state.servers.get(channel.serverId)?.botInstalled === true;
}

/** A channel the bot sees; any other is unknown to it. */
export function channelOfBot(world: World, channelId: string): ChannelRecord {
  const channel = world.state.channels.get(channelId);
  if (channel === undefined || !botSees(world, channel)) throw notFound('channel', channelId);
  return channel;
}

/** A channel of a server that the user is a member of. */
export function channelOfUser(world: World, channelId: string, userId: string): ChannelRecord {
  const channel = world.state.channels.get(channelId);
  const server = channel && world.state.servers.get(channel.serverId);
  if (channel === undefined || server?.memberIds.includes(userId) !== true) {
    throw notFound('channel', channelId);
  }
  return channel;
}

/** Messages live in text channels, participants in voice channels (assumed). */
export function requireKind(world: World, channel: ChannelRecord, kind: ChannelRecord['kind']) {
  if (channel.kind !== kind) {
    throw invalid(
      world.profile,
      'channelId',
      `The channel ${channel.name} is a ${channel.kind} channel, not a ${kind} channel.`,
    );
  }
}

export function knownUser(world: World, userId: string): UserRecord {
  const user = world.state.users.get(userId);
  if (user === undefined) throw notFound('user', userId);
  return user;
}

/** A message of the channel that was not deleted. */
export function liveMessage(world: World, channel: ChannelRecord, messageId: string) {
  const message = world.state.messages.get(messageId);
  if (message === undefined || message.channelId !== channel.id || message.isDeleted) {
    throw notFound('message', messageId);
  }
  return message;
}

/** Holds the bot to what the endpoint's row says about permissions and authorship. */
export function authorizeBot(
  world: World,
  endpoint: Endpoint,
  channel: ChannelRecord,
  message: MessageRecord,
): void {
  const isAuthor = message.authorId === world.state.bot.botUserId;
  if (endpoint.author === 'required' && !isAuthor) {
    throw forbidden('Only the author of a message may do this.', { messageId: message.id });
  }
  const wanted = endpoint.anyPermission;
  if (wanted === undefined || (endpoint.author === 'instead-of-permission' && isAuthor)) return;
  if (!wanted.some((permission) => channel.botPermissions.includes(permission))) {
    throw forbidden(`The bot needs ${listOf(wanted, 'or')} in ${channel.name}.`, {
      permissions: wanted,
    });
  }
}
