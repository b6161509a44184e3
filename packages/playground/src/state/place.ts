import type { SimChannel, SimUser } from '@virgule/core/simulator-api';
import type { Route } from './route.js';
import type { World } from './world.js';

export type Place = ReturnType<typeof resolvePlace>;

const isVoice = (world: World, channel: SimChannel): boolean =>
  channel.type === (world.profile?.channelTypes.voice ?? 'voice');

export function channelsOf(world: World, serverId: string) {
  const channels = world.channels
    .filter((channel) => channel.serverId === serverId)
    .toSorted((a, b) => a.position - b.position || a.name.localeCompare(b.name));
  return {
    text: channels.filter((channel) => !isVoice(world, channel)),
    voice: channels.filter((channel) => isVoice(world, channel)),
  };
}

/** Returns the users with a token, which the page can act as. */
export const actors = (world: World): readonly SimUser[] =>
  world.users.filter((user) => !user.isBot && user.token !== undefined);

/** Resolves a route. The first server, channel or user replaces an unknown one. */
export function resolvePlace(world: World, route: Omit<Route, 'trace'>) {
  const wanted = world.channels.find((channel) => channel.id === route.channelId);
  const server =
    world.servers.find((item) => item.id === (wanted?.serverId ?? route.serverId)) ??
    world.servers.find((item) => item.botIds.length > 0) ??
    world.servers[0] ??
    null;
  const { text } = server === null ? { text: [] } : channelsOf(world, server.id);
  const channel = text.find((item) => item.id === wanted?.id) ?? text[0] ?? null;
  const users = actors(world);
  const user = users.find((item) => item.username === route.as) ?? users[0] ?? null;
  return { server, channel, user };
}

/** Returns the title of the document: `(3) #general, Sandbox - Playground`. */
export function documentTitle(
  { channel, server }: Pick<Place, 'channel' | 'server'>,
  unread: number,
): string {
  const names = [channel && `#${channel.name}`, server?.name].filter((name) => name != null);
  const count = unread > 0 ? `(${unread}) ` : '';
  return count + [...(names.length === 0 ? [] : [names.join(', ')]), 'Playground'].join(' - ');
}
