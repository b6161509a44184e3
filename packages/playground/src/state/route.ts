import { orUndefined } from '@virgule/core/objects';

/** The URL of the page: `/s/:serverId/c/:channelId?as=username&trace=filter`. */
export interface Route {
  readonly serverId: string | null;
  readonly channelId: string | null;
  readonly as: string | null;
  /** Filter of the trace; null if the trace has no filter, or is not shown. */
  readonly trace: string | null;
}

export function parseRoute(pathname: string, search: string): Route {
  const parts = /^\/s\/([^/]+)(?:\/c\/([^/]+))?\/?$/.exec(pathname);
  const query = new URLSearchParams(search);
  return {
    serverId: orUndefined(() => decodeURIComponent(parts?.[1] ?? '')) || null,
    channelId: orUndefined(() => decodeURIComponent(parts?.[2] ?? '')) || null,
    as: query.get('as') || null,
    trace: query.get('trace') || null,
  };
}

export function formatRoute({ serverId, channelId, as, trace }: Route): string {
  const parts =
    serverId === null ? [] : ['s', serverId, ...(channelId === null ? [] : ['c', channelId])];
  const given = Object.entries({ as, trace }).filter(([, value]) => value !== null);
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
  return `/${parts.map(encodeURIComponent).join('/')}${query.length > 0 ? '?' : ''}${query.join('&')}`;
}

export const isSameRoute = (a: Route, b: Route): boolean => formatRoute(a) === formatRoute(b);
