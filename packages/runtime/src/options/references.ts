/** A user that was named in a command. As a text it is the mention. */
export interface UserRef {
  readonly id: string;
  toString(): string;
}

/** A channel that was named in a command. As a text it is the mention. */
export interface ChannelRef {
  readonly id: string;
  toString(): string;
}

/** A role that was named in a command. As a text it is the mention. */
export interface RoleRef {
  readonly id: string;
  toString(): string;
}

/** A user or a role that was named in a command. As a text it is the mention. */
export interface MentionableRef {
  readonly id: string;
  /** `unknown` when only an id was typed; its text is then the mention of a user. */
  readonly kind: 'user' | 'role' | 'unknown';
  toString(): string;
}

export type ReferenceType = 'user' | 'channel' | 'role' | 'mentionable';
type Kind = 'user' | 'channel' | 'role' | 'unknown';

export type ReferenceReading =
  | { readonly ok: true; readonly kind: Kind; readonly id: string }
  /** `reason` is a sentence for the person who typed it; without one the text is no reference at all. */
  | { readonly ok: false; readonly reason?: string | undefined };

const UUID = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const MENTION = new RegExp(`^<(@&|@|#)(${UUID})>$`, 'i');
const BARE = new RegExp(`^${UUID}$`, 'i');

// How a mention is written is assumed: the Bot Interface does not show it.
const SIGILS = { user: '@', channel: '#', role: '@&' } as const;
const KIND_OF_SIGIL: Readonly<Record<string, Kind>> = { '@': 'user', '#': 'channel', '@&': 'role' };

/** Reads a mention or a bare id as a reference to something of the type. */
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

/** A reference with its mention as its text. */
export function createReference(
  kind: Kind,
  id: string,
): { readonly id: string; toString(): string } {
  const sigil = kind === 'unknown' ? SIGILS.user : SIGILS[kind];
  // Hidden from listings, so that a log or a comparison shows the id alone.
  return Object.defineProperty({ id }, 'toString', { value: () => `<${sigil}${id}>` });
}

/** A reference that also tells what it refers to. */
export function createMentionable(kind: Kind, id: string): MentionableRef {
  const known = kind === 'user' || kind === 'role' ? kind : 'unknown';
  return Object.assign(createReference(kind, id), { kind: known } as const);
}

const fits = (kind: Kind, type: ReferenceType): boolean =>
  type === 'mentionable' ? kind === 'user' || kind === 'role' : kind === type;
