import type { World } from './world.js';

/** Returns the text of a mention, including its sign. */
export function mentionName(
  world: Pick<World, 'users' | 'channels'>,
  of: 'user' | 'channel' | 'role',
  id: string,
): string {
  if (of === 'role') return '@role';
  if (of === 'user') {
    return `@${world.users.find((user) => user.id === id)?.displayName ?? 'unknown user'}`;
  }
  return `#${world.channels.find((channel) => channel.id === id)?.name ?? 'unknown channel'}`;
}
