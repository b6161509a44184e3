import type { ApplicationCommandEvent, Profile } from '@virgule/core/protocol';
import { isId, userRef, type UserRef } from '../options/references.js';

/** The user who runs a command. `toString()` returns the mention. */
export interface Author extends UserRef {
  /** Empty if the platform does not report the name with the command. */
  readonly username: string;
  /** Empty if the platform does not report the name with the command. */
  readonly displayName: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the author with an id and names as the platform sends them; `undefined` without an id. */
export function authorFrom({ id, username, displayName }: Fields): Author | undefined {
  if (typeof id !== 'string' || !isId(id)) return undefined;
  const names = { username: textOf(username), displayName: textOf(displayName) };
  return Object.assign(userRef(id), names);
}

/** Returns the author of a message. */
export function authorOfMessage(message: object = {}): Author | undefined {
  const { authorId: id, authorUsername: username, authorDisplayName }: Fields = { ...message };
  return authorFrom({ id, username, displayName: authorDisplayName });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the user that the event of a slash command names. The Bot Interface names none; a profile can. */
export function userOfEvent(event: ApplicationCommandEvent, { commandUser }: Profile) {
  if (commandUser === 'absent') return undefined;
  const { userId, user } = event as unknown as Fields;
  return authorFrom(commandUser === 'userId' ? { id: userId } : (Object(user) as Fields));
}
