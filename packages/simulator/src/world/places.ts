// Changes of a developer to the world while a bot runs: users, servers, channels and roles.
import { definedIn } from '@virgule/core/objects';
import { requireRecord } from './access.js';
import { firstBot, withBots } from './bots.js';
import type { PlaceList, PlaceRecord } from './change.js';
import { invalid } from './refusal.js';
import type { ChannelRecord, RoleRecord, ServerRecord, UserRecord } from './state.js';
import { closeIngress, leaveAllVoice } from './voice.js';
import type { World } from './world.js';

/** Maximum number of users and servers: the chat page shows all of them. */
const MAX_USERS = 1_000;
const MAX_SERVERS = 100;

/** Values of a record; `undefined` keeps the old value, or the default of a new record. */
type Values<Item> = { readonly [Key in keyof Item]?: Item[Key] | undefined };

/** Returns a record with new values. @throws Refusal if no record has this id. */
function changed<Item extends object>(
  records: ReadonlyMap<string, Item>,
  kind: string,
  id: string,
  values: Values<Item>,
): Item {
  return { ...requireRecord(records, kind, id), ...definedIn(values) };
}

/** Saves a record in its list, and returns the record. */
function save<Item extends PlaceRecord>(world: World, list: PlaceList, record: Item): Item {
  world.emit({ type: 'place.saved', list, record });
  return record;
}

type NewUser = Values<UserRecord> &
  Pick<UserRecord, 'username'> & { readonly serverIds?: readonly string[] | undefined };

/** Adds a user, by default as a member of the first server. */
export function addUser(world: World, { serverIds, ...user }: NewUser): UserRecord {
  const { users, servers, bots } = world.state;
  const { username, displayName = username, role = '', isBot = false } = user;
  if ([...users.values()].some((known) => known.username === username))
    throw invalid('username', `The username ${username} is taken.`);
  // Bots do not count.
  if (users.size - bots.size >= MAX_USERS)
    throw invalid('username', `A simulator has at most ${MAX_USERS} users.`);
  const [first = ''] = servers.keys();
  const joined = (serverIds ?? [first]).map((id) => requireRecord(servers, 'server', id));
  const id = world.nextId('user');
  const record = save(world, 'users', { id, username, displayName, isBot, role });
  for (const { id, memberIds } of joined)
    editServer(world, id, { memberIds: [...memberIds, record.id] });
  return record;
}

export function editUser(world: World, id: string, values: Values<UserRecord>): UserRecord {
  const record = changed(world.state.users, 'user', id, values);
  if (record.isBot) throw invalid('userId', `${record.username} is a bot.`);
  return save(world, 'users', record);
}

/** Deletes a user, who leaves all servers and roles. Messages stay, without the name of their author. */
export function removeUser(world: World, id: string): void {
  const { users, servers } = world.state;
  const { isBot, username } = requireRecord(users, 'user', id);
  if (isBot) throw invalid('userId', `${username} is a bot.`);
  const owned = [...servers.values()].find(({ ownerId }) => ownerId === id);
  if (owned !== undefined) throw invalid('userId', `${username} is the owner of ${owned.name}.`);
  deleteUser(world, id);
}

/** Deletes a bot like a user ({@link removeUser}), with its commands, and closes its sockets. The first bot stays. */
export function removeBot(world: World, id: string): void {
  const { bots, channels, voice } = world.state;
  const bot = requireRecord(bots, 'bot', id);
  if (bot === firstBot(world.state))
    throw invalid('botUserId', `${bot.username} is the first bot, which cannot be deleted.`);
  for (const { channelId, ingress } of voice.values()) {
    const channel = channels.get(channelId);
    if (channel !== undefined && ingress?.botUserId === id) closeIngress(world, channel, id);
  }
  deleteUser(world, id);
  world.emit({ type: 'bot.removed', bot });
}

function deleteUser(world: World, userId: string): void {
  const { servers, roles } = world.state;
  const without = (ids: readonly string[]): string[] => ids.filter((id) => id !== userId);
  for (const server of servers.values()) {
    const { memberIds, botIds } = server;
    if (memberIds.includes(userId))
      saveServer(world, { ...server, memberIds: without(memberIds), botIds: without(botIds) });
  }
  for (const role of roles.values())
    if (role.memberIds.includes(userId))
      saveRole(world, { ...role, memberIds: without(role.memberIds) });
  leaveAllVoice(world, userId);
  world.emit({ type: 'place.removed', list: 'users', id: userId });
}

/** Adds a server with one text channel, by default with all bots. The owner of the first server is its owner. */
export function addServer(world: World, given: Pick<ServerRecord, 'name'> & Values<ServerRecord>) {
  const { servers, bots } = world.state;
  const { name, botIds = [...bots.keys()] } = given;
  if (servers.size >= MAX_SERVERS)
    throw invalid('name', `A simulator has at most ${MAX_SERVERS} servers.`);
  for (const botId of botIds) requireRecord(bots, 'bot', botId);
  const [first] = servers.values();
  const ownerId = first?.ownerId ?? '';
  const id = world.nextId('server');
  const record = saveServer(world, { id, name, ownerId, botIds, memberIds: [] });
  addChannel(world, { serverId: id, name: 'general' });
  return record;
}

export function editServer(world: World, id: string, values: Values<ServerRecord>): ServerRecord {
  for (const botId of values.botIds ?? []) requireRecord(world.state.bots, 'bot', botId);
  return saveServer(world, changed(world.state.servers, 'server', id, values));
}

/** Saves a server. The owner is always a member; a bot is a member if it is installed. */
export function saveServer(world: World, server: ServerRecord): ServerRecord {
  const { users, bots } = world.state;
  const memberIds = [server.ownerId, ...server.memberIds];
  for (const memberId of memberIds) requireRecord(users, 'user', memberId);
  const record = withBots({ ...server, memberIds }, [...bots.keys()], server.botIds);
  return save(world, 'servers', record);
}

/** Deletes a server with its channels, roles and emojis. The first server stays. */
export function removeServer(world: World, id: string): void {
  const { servers, channels, roles } = world.state;
  const server = requireRecord(servers, 'server', id);
  const [first] = servers.values();
  if (server === first)
    throw invalid('serverId', `${server.name} is the first server, which cannot be deleted.`);
  for (const channel of channels.values())
    if (channel.serverId === id)
      world.emit({ type: 'place.removed', list: 'channels', id: channel.id });
  for (const role of roles.values())
    if (role.serverId === id) world.emit({ type: 'place.removed', list: 'roles', id: role.id });
  world.emit({ type: 'place.removed', list: 'servers', id });
}

/** Adds a channel after the other channels of its server. Bots see the channel and have every permission. */
export function addChannel(
  world: World,
  given: Pick<ChannelRecord, 'serverId' | 'name'> & Values<ChannelRecord>,
): ChannelRecord {
  const { servers, channels } = world.state;
  const { serverId, name } = given;
  requireRecord(servers, 'server', serverId);
  return save<ChannelRecord>(world, 'channels', {
    id: world.nextId('channel'),
    serverId,
    name,
    kind: 'text',
    position: [...channels.values()].filter((each) => each.serverId === serverId).length,
    topic: null,
    visibleToBot: true,
    botPermissions: ['ManageMessages', 'ManageReactions'],
    ...definedIn(given),
  });
}

export const editChannel = (world: World, id: string, values: Values<ChannelRecord>) =>
  save(world, 'channels', changed(world.state.channels, 'channel', id, values));

/** Deletes a channel with its messages. A server keeps one text channel. */
export function removeChannel(world: World, id: string): void {
  const { channels } = world.state;
  const { name, serverId } = requireRecord(channels, 'channel', id);
  const others = [...channels.values()].filter(
    (each) => each.id !== id && each.serverId === serverId && each.kind === 'text',
  );
  if (others.length === 0) throw invalid('channelId', `${name} is the last text channel.`);
  world.emit({ type: 'place.removed', list: 'channels', id });
}

export function addRole(
  world: World,
  { serverId, name, memberIds = [] }: Omit<RoleRecord, 'id' | 'memberIds'> & Values<RoleRecord>,
): RoleRecord {
  requireRecord(world.state.servers, 'server', serverId);
  return saveRole(world, { id: world.nextId('role'), serverId, name, memberIds });
}

export const editRole = (world: World, id: string, values: Values<RoleRecord>): RoleRecord =>
  saveRole(world, changed(world.state.roles, 'role', id, values));

function saveRole(world: World, record: RoleRecord): RoleRecord {
  for (const memberId of record.memberIds) requireRecord(world.state.users, 'user', memberId);
  return save(world, 'roles', record);
}

export function removeRole(world: World, id: string): void {
  requireRecord(world.state.roles, 'role', id);
  world.emit({ type: 'place.removed', list: 'roles', id });
}
