import type { ApplicationCommandEvent, Profile } from '@virgule/core/protocol';
import { isId, userRef, type UserRef } from '../options/references.js';

/** The user who runs a command. `toString()` returns the mention. */
export interface Author extends UserRef {
  /** Empty if the platform does not report the name with the command. */
  readonly username: string;
  /** Empty if the platform does not report the name with the command. */
  readonly displayName: string;
}

/** Returns the author with an id and names as the platform sends them; `undefined` without an id. */
export function authorFrom(
  id: unknown,
  username: unknown,
  displayName: unknown,
): Author | undefined {
  if (typeof id !== 'string' || !isId(id)) return undefined;
  const names = { username: textOf(username), displayName: textOf(displayName) };
  return Object.assign(userRef(id), names);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the user that the event of a slash command names. The Bot Interface names none; a profile can. */
export function userOfEvent(
  event: ApplicationCommandEvent,
  { commandUser }: Profile,
): Author | undefined {
  if (commandUser === 'absent') return undefined;
  const { userId, user } = event as unknown as Readonly<Record<string, unknown>>;
  if (commandUser === 'userId') return authorFrom(userId, '', '');
  const { id, username, displayName } = Object(user) as Readonly<Record<string, unknown>>;
  return authorFrom(id, username, displayName);
}
