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
type Kind = 'user' | 'channel' | 'role' | 'unknown';

export type ReferenceReading =
  | { readonly ok: true; readonly kind: Kind; readonly id: string }
  /** `reason` is for the user who typed it; without one the text is not a reference. */
  | { readonly ok: false; readonly reason?: string | undefined };

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const MENTION = new RegExp(`^<(@&|@|#)(${UUID})>$`, 'i');
const BARE = new RegExp(`^${UUID}$`, 'i');

// How a mention is written is assumed: the Bot Interface does not show it.
const SIGILS = { user: '@', channel: '#', role: '@&' } as const;
const KIND_OF_SIGIL: Readonly<Record<string, Kind>> = { '@': 'user', '#': 'channel', '@&': 'role' };

/** Reads a mention or a bare id as a reference of the given type. */
export function readReference(text: string, type: ReferenceType): ReferenceReading {
  const match = MENTION.exec(text);
  if (match) {
    const [, sigil = '', id = ''] = match;
    const kind = KIND_OF_SIGIL[sigil] ?? 'unknown';
    return fits(kind, type)
      ? { ok: true, kind, id }
      : {
          ok: false,
          reason: `that is a ${kind}, not a ${type === 'mentionable' ? 'user or role' : type}`,
        };
  }
  if (BARE.test(text))
    return { ok: true, kind: type === 'mentionable' ? 'unknown' : type, id: text };
  if (/^[@#]./.test(text)) {
    return {
      ok: false,
      reason: 'names cannot be looked up here; choose it from the list, or use its id',
    };
  }
  return { ok: false };
}

/** Creates a reference whose string is its mention. */
export function createReference(kind: Kind, id: string): Reference {
  const sigil = kind === 'unknown' ? SIGILS.user : SIGILS[kind];
  return withText({ id }, `<${sigil}${id}>`);
}

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

/** Creates a reference with its kind. */
export function createMentionable(kind: Kind, id: string): MentionableRef {
  const known = kind === 'user' || kind === 'role' ? kind : 'unknown';
  return Object.assign(createReference(kind, id), { kind: known } as const);
}

const fits = (kind: Kind, type: ReferenceType): boolean =>
  type === 'mentionable' ? kind === 'user' || kind === 'role' : kind === type;
