// What a developer changes in the world while a bot runs: users, servers, channels and roles.
import type { ChannelRecord, RoleRecord, ServerRecord, UserRecord } from './state.js';
import { withBots } from './bots.js';
import { notFound, invalid } from './refusal.js';
import { MAX_SERVERS, MAX_USERS } from './seed-of-size.js';
import type { World } from './world.js';

export type NewUser = Pick<UserRecord, 'username' | 'displayName' | 'role'>;

interface NewServer extends Pick<ServerRecord, 'name'> {
  /** The bots to install. @defaultValue all */
  readonly botIds?: readonly string[] | undefined;
}

/** Adds a user, as a member of these servers. */
export function addUser(world: World, user: NewUser, serverIds: readonly string[]): UserRecord {
  if ([...world.state.users.values()].some(({ username }) => username === user.username))
    throw invalid(world.profile, 'username', `The username ${user.username} is taken.`);
  // The bots are no part of it.
  if (world.state.users.size - world.state.bots.size >= MAX_USERS)
    throw invalid(world.profile, 'username', `A simulator has at most ${MAX_USERS} users.`);
  const servers = serverIds.map((id) => requireRecord(world.state.servers, 'server', id));
  const added: UserRecord = { id: world.nextId('user'), isBot: false, ...user };
  world.emit({ type: 'user.saved', user: added });
  for (const server of servers)
    editServer(world, server.id, { memberIds: [...server.memberIds, added.id] });
  return added;
}

export function editUser(
  world: World,
  id: string,
  values: Partial<Pick<UserRecord, 'displayName' | 'role'>>,
): UserRecord {
  const known = requireRecord(world.state.users, 'user', id);
  if (known.isBot) throw invalid(world.profile, 'userId', `${known.username} is a bot.`);
  const user = { ...known, ...values };
  world.emit({ type: 'user.saved', user });
  return user;
}

/** Adds a server with one text channel, and all bots. Its owner is that of the first server. */
export function addServer(
  world: World,
  { name, botIds = [...world.state.bots.keys()] }: NewServer,
): ServerRecord {
  if (world.state.servers.size >= MAX_SERVERS)
    throw invalid(world.profile, 'name', `A simulator has at most ${MAX_SERVERS} servers.`);
  for (const botId of botIds) requireRecord(world.state.bots, 'bot', botId);
  const [first] = world.state.servers.values();
  const ownerId = first?.ownerId ?? '';
  const id = world.nextId('server');
  const server = saveServer(world, { id, name, ownerId, botIds, memberIds: [ownerId] });
  addChannel(world, { serverId: id, name: 'general', kind: 'text', topic: null });
  return server;
}

/** Changes a server. A bot is a member exactly where it is installed, and the owner always. */
export function editServer(
  world: World,
  id: string,
  values: Partial<Pick<ServerRecord, 'name' | 'botIds' | 'memberIds'>>,
): ServerRecord {
  const edited = { ...requireRecord(world.state.servers, 'server', id), ...values };
  for (const botId of values.botIds ?? []) requireRecord(world.state.bots, 'bot', botId);
  for (const memberId of edited.memberIds) requireRecord(world.state.users, 'user', memberId);
  return saveServer(world, { ...edited, memberIds: [edited.ownerId, ...edited.memberIds] });
}

function saveServer(world: World, edited: ServerRecord): ServerRecord {
  const server = withBots(edited, [...world.state.bots.keys()], edited.botIds);
  world.emit({ type: 'server.saved', server });
  return server;
}

/** Adds a channel after the others of its server. The bots see it and have every permission. */
export function addChannel(
  world: World,
  channel: Pick<ChannelRecord, 'serverId' | 'name' | 'kind' | 'topic'>,
): ChannelRecord {
  requireRecord(world.state.servers, 'server', channel.serverId);
  const added: ChannelRecord = {
    id: world.nextId('channel'),
    position: [...world.state.channels.values()].filter(
      ({ serverId }) => serverId === channel.serverId,
    ).length,
    visibleToBot: true,
    botPermissions: ['ManageMessages', 'ManageReactions'],
    ...channel,
  };
  world.emit({ type: 'channel.saved', channel: added });
  return added;
}

export function editChannel(
  world: World,
  id: string,
  values: Partial<Pick<ChannelRecord, 'name' | 'topic' | 'visibleToBot' | 'botPermissions'>>,
): ChannelRecord {
  const channel = { ...requireRecord(world.state.channels, 'channel', id), ...values };
  world.emit({ type: 'channel.saved', channel });
  return channel;
}

export function addRole(world: World, role: Omit<RoleRecord, 'id'>): RoleRecord {
  requireRecord(world.state.servers, 'server', role.serverId);
  return saveRole(world, { id: world.nextId('role'), ...role });
}

export function editRole(
  world: World,
  id: string,
  values: Partial<Pick<RoleRecord, 'name' | 'memberIds'>>,
): RoleRecord {
  return saveRole(world, { ...requireRecord(world.state.roles, 'role', id), ...values });
}

function saveRole(world: World, role: RoleRecord): RoleRecord {
  for (const memberId of role.memberIds) requireRecord(world.state.users, 'user', memberId);
  world.emit({ type: 'role.saved', role });
  return role;
}

function requireRecord<Item>(records: ReadonlyMap<string, Item>, kind: string, id: string): Item {
  const record = records.get(id);
  if (record === undefined) throw notFound(kind, id);
  return record;
}
