/** One route of one channel (server, interaction): what a request is counted in until more is known. */
export interface Lane {
  readonly route: string;
  readonly major: string;
}

export function laneName({ route, major }: Lane): string {
  return `${route} ${major}`;
}

export function readLaneName(name: string): Lane {
  const [route = '', major = ''] = name.split(' ');
  return { route, major };
}

/** What several lanes are called together; the id only when they have it in common. */
export function joinLanes(names: readonly string[]): Lane {
  const lanes = names.map(readLaneName);
  const [major = '', ...others] = new Set(lanes.map((lane) => lane.major));
  const routes = [...new Set(lanes.map(({ route }) => route))].toSorted();
  return { route: routes.join(' + '), major: others.length === 0 ? major : '' };
}
