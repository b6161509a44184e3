import { UUID } from '@virgule/core/text';

/** A reference that was typed in a command. `toString()` returns the mention. */
interface Reference {
  readonly id: string;
  toString(): string;
}

/** A user that was typed in a command. */
export interface UserRef extends Reference {}
/** A channel that was typed in a command. */
export interface ChannelRef extends Reference {}
/** A role that was typed in a command. */
export interface RoleRef extends Reference {}

/** A user or a role that was typed in a command. */
export interface MentionableRef extends Reference {
  /** Kind of the reference; `unknown` if only an id was typed. `toString()` then returns the mention of a user. */
  readonly kind: 'user' | 'role' | 'unknown';
}

/** A message that was typed in a command. `toString()` returns the typed text. */
export interface MessageRef extends Reference {
  /** Id of the channel; `undefined` if only a message id was typed. */
  readonly channelId: string | undefined;
}

export type ReferenceType = 'user' | 'channel' | 'role' | 'mentionable';

const MENTION = new RegExp(`^<(@&|@|#)(${UUID})>$`, 'i');
const BARE = new RegExp(`^${UUID}$`, 'i');

// The form of mentions is assumed: the Bot Interface does not show it.
const SIGILS = { user: '@', channel: '#', role: '@&', mentionable: '@' } as const;
const KINDS = { '@': 'user', '#': 'channel', '@&': 'role' } as const;

/**
 * Reads a mention or a bare id as a reference of a type. For other text, returns the reason for the user who typed the
 * text; the reason is empty if the text is not a reference at all.
 */
export function readReference(text: string, type: ReferenceType): Reference | string {
  const isMentionable = type === 'mentionable';
  // Users can type an id in capitals, which must be no other user.
  const match = MENTION.exec(text.toLowerCase());
  if (match) {
    const [folded, sigil, id = ''] = match;
    // The pattern matches no other sigils.
    const kind = KINDS[sigil as keyof typeof KINDS];
    if (isMentionable ? kind === 'channel' : kind !== type)
      return `that is a ${kind}, not a ${isMentionable ? 'user or role' : type}`;
    return withText(isMentionable ? { id, kind } : { id }, folded);
  }
  if (BARE.test(text)) {
    const id = text.toLowerCase();
    return withText(isMentionable ? { id, kind: 'unknown' } : { id }, `<${SIGILS[type]}${id}>`);
  }
  return /^[@#]./.test(text)
    ? 'names cannot be looked up here; choose it from the list, or use its id'
    : '';
}

/** Returns the reference of a user. The mention has the id as the platform sent it. */
export const userRef = (id: string): UserRef =>
  withText({ id: id.toLowerCase() }, `<${SIGILS.user}${id}>`);

/** Returns whether a string is an id of the platform. */
export const isId = (text: string): boolean => BARE.test(text);

const IDS = new RegExp(`^\\s*${UUID}(?:[\\s,;]+${UUID})*\\s*$`, 'i');

/** Returns whether a text consists of ids, such as those of owners. */
export const areIds = (text = ''): boolean => IDS.test(text);

/** Returns whether two values are the same id, in any letter case. */
export const isSameId = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  // Most ids differ in their last character, which is found in a quarter of the time. This is done for each event.
  lastOf(one) === lastOf(other) &&
  one.toLowerCase() === other.toLowerCase();

/** Returns the code of the last character. The bit of 32 makes a letter small. */
const lastOf = (id: string): number => id.charCodeAt(id.length - 1) | 32;

/** Returns the ids in a text. */
export const idsIn = (text: string): readonly string[] => text.match(new RegExp(UUID, 'gi')) ?? [];

/** Reads a message id or a link to a message; `null` for other text. The form of links is assumed. */
export function readMessage(text: string): MessageRef | null {
  if (!/^https?:\/\/\S+$/i.test(text) && !BARE.test(text)) return null;
  const [id, channelId] = [...idsIn(text.toLowerCase())].reverse();
  return id === undefined ? null : withText({ id, channelId }, text);
}

/** Adds `toString` to a value. The member is not enumerable, so that a log or a comparison shows only the ids. */
const withText = <Value extends object>(value: Value, text: string): Value =>
  Object.defineProperty(value, 'toString', { value: () => text });
