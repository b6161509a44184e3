/** The URL of the page: `/s/:serverId/c/:channelId?as=username`. */
export interface Route {
  readonly serverId: string | null;
  readonly channelId: string | null;
  /** Username to act as. */
  readonly as: string | null;
}

function decode(part: string | undefined): string | null {
  if (part === undefined || part === '') return null;
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export function parseRoute(pathname: string, search: string): Route {
  const parts = /^\/s\/([^/]+)(?:\/c\/([^/]+))?\/?$/.exec(pathname);
  const as = new URLSearchParams(search).get('as');
  return {
    serverId: decode(parts?.[1]),
    channelId: decode(parts?.[2]),
    as: as === '' ? null : as,
  };
}

export function formatRoute(route: Route): string {
  let path = '/';
  if (route.serverId !== null) path = `/s/${encodeURIComponent(route.serverId)}`;
  if (route.serverId !== null && route.channelId !== null) {
    path += `/c/${encodeURIComponent(route.channelId)}`;
  }
  return route.as === null ? path : `${path}?as=${encodeURIComponent(route.as)}`;
}

export function isSameRoute(a: Route, b: Route): boolean {
  return a.serverId === b.serverId && a.channelId === b.channelId && a.as === b.as;
}
