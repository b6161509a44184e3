// What a developer deletes from the world while a bot runs.
import { firstBot } from './bots.js';
import { invalid, notFound } from './refusal.js';
import { closeIngress } from './voice.js';
import type { World } from './world.js';

/** Deletes a user, who leaves all servers and roles. Messages stay, without the name of their author. */
export function removeUser(world: World, userId: string): void {
  const { users, servers } = world.state;
  const user = users.get(userId);
  if (user === undefined) throw notFound('user', userId);
  if (user.isBot) throw invalid(world.profile, 'userId', `${user.username} is a bot.`);
  const owned = [...servers.values()].find(({ ownerId }) => ownerId === userId);
  if (owned !== undefined)
    throw invalid(world.profile, 'userId', `${user.username} is the owner of ${owned.name}.`);
  deleteUser(world, userId);
}

/** Deletes a bot as {@link removeUser} does a user, with its commands, and closes its sockets. The first one stays. */
export function removeBot(world: World, botUserId: string): void {
  const { bots, channels, voice } = world.state;
  const bot = bots.get(botUserId);
  if (bot === undefined) throw notFound('bot', botUserId);
  if (bot === firstBot(world.state))
    throw invalid(world.profile, 'botUserId', `${bot.username} is the first bot, which stays.`);
  for (const { channelId, ingress } of voice.values()) {
    const channel = channels.get(channelId);
    if (channel !== undefined && ingress?.botUserId === botUserId)
      closeIngress(world, channel, botUserId);
  }
  deleteUser(world, botUserId);
  world.emit({ type: 'bot.removed', bot });
}

function deleteUser(world: World, userId: string): void {
  const { servers, roles, voice } = world.state;
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== userId);
  for (const server of servers.values()) {
    if (server.memberIds.includes(userId))
      world.emit({
        type: 'server.saved',
        server: {
          ...server,
          memberIds: without(server.memberIds),
          botIds: without(server.botIds),
        },
      });
  }
  for (const role of roles.values()) {
    if (role.memberIds.includes(userId))
      world.emit({ type: 'role.saved', role: { ...role, memberIds: without(role.memberIds) } });
  }
  for (const each of voice.values()) {
    if (each.joinedIds.includes(userId))
      world.emit({
        type: 'voice.changed',
        voice: { ...each, joinedIds: without(each.joinedIds) },
        presence: { userId, isPresent: false },
      });
  }
  world.emit({ type: 'user.removed', id: userId });
}

/** Deletes a server with its channels, roles and emojis. There is always one. */
export function removeServer(world: World, serverId: string): void {
  const { servers, channels, roles } = world.state;
  const server = servers.get(serverId);
  if (server === undefined) throw notFound('server', serverId);
  const [first] = servers.values();
  if (server === first)
    throw invalid(world.profile, 'serverId', `${server.name} is the first server, which stays.`);
  for (const channel of channels.values())
    if (channel.serverId === serverId) world.emit({ type: 'channel.removed', id: channel.id });
  for (const role of roles.values())
    if (role.serverId === serverId) world.emit({ type: 'role.removed', id: role.id });
  world.emit({ type: 'server.removed', id: serverId });
}

/** Deletes a channel with its messages. A server keeps one text channel. */
export function removeChannel(world: World, channelId: string): void {
  const { channels } = world.state;
  const channel = channels.get(channelId);
  if (channel === undefined) throw notFound('channel', channelId);
  const others = [...channels.values()].filter(
    ({ id, serverId, kind }) =>
      id !== channelId && serverId === channel.serverId && kind === 'text',
  );
  if (others.length === 0)
    throw invalid(world.profile, 'channelId', `${channel.name} is the last text channel.`);
  world.emit({ type: 'channel.removed', id: channelId });
}

export function removeRole(world: World, roleId: string): void {
  if (!world.state.roles.has(roleId)) throw notFound('role', roleId);
  world.emit({ type: 'role.removed', id: roleId });
}
