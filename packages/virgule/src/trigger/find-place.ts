import type { SimChannel, SimSnapshot, SimUser } from '@virgule/core/simulator-api';

/** Where something happens and by whom, by name or id. */
export interface PlaceInput {
  /** @defaultValue `general`, or the first voice channel */
  readonly channel?: string | undefined;
  /** @defaultValue the owner */
  readonly as?: string | undefined;
}

export interface FoundPlace {
  readonly channel: SimChannel;
  readonly user: SimUser;
}

/**
 * Finds a channel of a kind, and a user.
 *
 * @throws Error that names those that there are.
 */
export function findPlace(
  { channels: all, users }: SimSnapshot,
  { channel: name, as }: PlaceInput,
  kind: 'text' | 'voice' = 'text',
): FoundPlace {
  const channels = all.filter((each) => each.type === kind);
  const wanted = name?.replace(/^#/, '') ?? (kind === 'text' ? 'general' : channels[0]?.name);
  const channel = channels.find((each) => each.id === wanted || each.name === wanted);
  if (channel === undefined) {
    const names = [...new Set(channels.map((each) => each.name))].join(', ');
    throw new Error(`there is no ${kind} channel ${wanted}, only ${names}.`);
  }
  const people = users.filter(({ isBot }) => !isBot);
  const user = people.find(({ id, username, role }) =>
    as === undefined ? role === 'owner' : [id, username].includes(as),
  );
  if (user === undefined) {
    const names = people.map(({ username }) => username).join(', ');
    throw new Error(`there is no user ${as}, only ${names}.`);
  }
  return { channel, user };
}
