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

export function formatRoute(route: Route): string {
  let path = '/';
  if (route.serverId !== null) path = `/s/${encodeURIComponent(route.serverId)}`;
  if (route.serverId !== null && route.channelId !== null)
    path += `/c/${encodeURIComponent(route.channelId)}`;
  const query = (['as', 'trace'] as const).flatMap((name) => {
    const value = route[name];
    return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return query.length === 0 ? path : `${path}?${query.join('&')}`;
}

export const isSameRoute = (a: Route, b: Route): boolean => formatRoute(a) === formatRoute(b);
