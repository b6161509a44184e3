/** Something that was named in a command. Its string is the mention. */
interface Reference {
  readonly id: string;
  toString(): string;
}

/** A user that was named in a command. */
export interface UserRef extends Reference {}
/** A channel that was named in a command. */
export interface ChannelRef extends Reference {}
/** A role that was named in a command. */
export interface RoleRef extends Reference {}

/** A user or a role that was named in a command. */
export interface MentionableRef extends Reference {
  /** `unknown` when only an id was typed; its string is then the mention of a user. */
  readonly kind: 'user' | 'role' | 'unknown';
}

/** A message that was named in a command. Its string is what was typed. */
export interface MessageRef extends Reference {
  /** The channel of the message; `undefined` when only an id was typed. */
  readonly channelId: string | undefined;
}

export type ReferenceType = 'user' | 'channel' | 'role' | 'mentionable';

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const MENTION = new RegExp(`^<(@&|@|#)(${UUID})>$`, 'i');
const BARE = new RegExp(`^${UUID}$`, 'i');

// How a mention is written is assumed: the Bot Interface does not show it.
const SIGILS = { user: '@', channel: '#', role: '@&', mentionable: '@' } as const;
const KINDS = { '@': 'user', '#': 'channel', '@&': 'role' } as const;

/**
 * Reads a mention or a bare id as a reference of the given type, whose string is its mention. Otherwise returns the
 * reason for the user who typed it, which is empty if the text is not a reference.
 */
export function readReference(text: string, type: ReferenceType): Reference | string {
  const isMentionable = type === 'mentionable';
  const match = MENTION.exec(text);
  if (match) {
    const [, sigil, id = ''] = match;
    // The pattern has no others.
    const kind = KINDS[sigil as keyof typeof KINDS];
    if (isMentionable ? kind === 'channel' : kind !== type)
      return `that is a ${kind}, not a ${isMentionable ? 'user or role' : type}`;
    return withText(isMentionable ? { id, kind } : { id }, text);
  }
  if (BARE.test(text)) {
    const found = isMentionable ? { id: text, kind: 'unknown' } : { id: text };
    return withText(found, `<${SIGILS[type]}${text}>`);
  }
  return /^[@#]./.test(text)
    ? 'names cannot be looked up here; choose it from the list, or use its id'
    : '';
}

/** Returns whether a string is an id of the platform. */
export const isId = (text: string): boolean => BARE.test(text);

/** Reads an id or a link to a message; `null` when it is neither. How a link is written is assumed. */
export function readMessage(text: string): MessageRef | null {
  const isLink = /^https?:\/\/\S+$/i.test(text);
  if (!isLink && !BARE.test(text)) return null;
  const [id, channelId] = (text.match(new RegExp(UUID, 'gi')) ?? []).reverse();
  return id === undefined ? null : withText({ id, channelId }, text);
}

/** Hides the string from listings, so that a log or a comparison shows the ids alone. */
function withText<Value extends object>(value: Value, text: string): Value {
  return Object.defineProperty(value, 'toString', { value: () => text });
}
