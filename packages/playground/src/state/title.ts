export interface TitleInput {
  readonly channelName: string | null;
  readonly serverName: string | null;
  readonly unread: number;
}

/** Returns `(3) #general, Sandbox - Playground`. */
export function documentTitle({ channelName, serverName, unread }: TitleInput): string {
  const place = channelName === null ? null : `#${channelName}`;
  const where = [place, serverName].filter((part) => part !== null).join(', ');
  const count = unread > 0 ? `(${unread}) ` : '';
  return where === '' ? `${count}Playground` : `${count}${where} - Playground`;
}
