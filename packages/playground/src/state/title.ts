import type { Place } from './place.js';

/** Returns the title of the document: `(3) #general, Sandbox - Playground`. */
export function documentTitle(
  { channel, server }: Pick<Place, 'channel' | 'server'>,
  unread: number,
): string {
  const names = [channel && `#${channel.name}`, server?.name].filter((name) => name != null);
  const count = unread > 0 ? `(${unread}) ` : '';
  return count + [...(names.length === 0 ? [] : [names.join(', ')]), 'Playground'].join(' - ');
}
