import type { World } from './world.js';

/** Returns the text of a mention, including its sign. */
export function mentionName(
  world: Pick<World, 'users' | 'channels' | 'roles'>,
  of: 'user' | 'channel' | 'role',
  id: string,
): string {
  if (of === 'user')
    return `@${world.users.find((user) => user.id === id)?.displayName ?? 'unknown user'}`;
  const found = (of === 'role' ? world.roles : world.channels).find((item) => item.id === id);
  return `${of === 'role' ? '@' : '#'}${found?.name ?? `unknown ${of}`}`;
}

/** Returns the mentions of a user: by name, and by the roles of the user. */
export function mentionsOf(userId: string, roles: World['roles']): readonly string[] {
  const own = roles.filter(({ memberIds }) => memberIds.includes(userId));
  return [`<@${userId}>`, ...own.map(({ id }) => `<@&${id}>`)];
}
