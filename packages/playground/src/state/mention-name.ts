import type { World } from './world.js';

/** Names of servers, channels, users and roles by their ids, with their signs. */
export type Names = ReadonlyMap<string, string>;

export const namesIn = (world: Pick<World, 'servers' | 'channels' | 'users' | 'roles'>): Names =>
  new Map([
    ...world.servers.map(({ id, name }) => [id, name] as const),
    ...world.channels.map(({ id, name }) => [id, `#${name}`] as const),
    ...world.users.map(({ id, displayName }) => [id, `@${displayName}`] as const),
    ...world.roles.map(({ id, name }) => [id, `@${name}`] as const),
  ]);

/** Returns the text of a mention, including its sign. */
export const mentionName = (names: Names, of: 'user' | 'channel' | 'role', id: string): string =>
  names.get(id) ?? `${of === 'channel' ? '#' : '@'}unknown ${of}`;

/** Returns the mentions of a user: by name, and by the roles of the user. */
export function mentionsOf(userId: string, roles: World['roles']): readonly string[] {
  const own = roles.filter(({ memberIds }) => memberIds.includes(userId));
  return [`<@${userId}>`, ...own.map(({ id }) => `<@&${id}>`)];
}
