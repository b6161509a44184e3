import type { SimChannel, SimRole, SimServer, SimUser } from './simulator-api.js';

/** Users, channels and roles that a message can mention. */
export interface Mentionable {
  readonly users: readonly Pick<SimUser, 'id' | 'username' | 'displayName'>[];
  readonly channels: readonly Pick<SimChannel, 'id' | 'name'>[];
  readonly roles: readonly Pick<SimRole, 'id' | 'name'>[];
}

/** Returns the users, channels and roles of a server. */
export function nameableIn<
  User extends Pick<SimUser, 'id'>,
  Channel extends Pick<SimChannel, 'serverId'>,
  Role extends Pick<SimRole, 'serverId'>,
>(
  { id, memberIds }: Pick<SimServer, 'id' | 'memberIds'>,
  world: {
    readonly users: readonly User[];
    readonly channels: readonly Channel[];
    readonly roles: readonly Role[];
  },
) {
  return {
    users: world.users.filter((user) => memberIds.includes(user.id)),
    channels: world.channels.filter(({ serverId }) => serverId === id),
    roles: world.roles.filter(({ serverId }) => serverId === id),
  };
}

/**
 * Returns the mention of a name: `@ada` -> `<@id>`, `@dj` -> `<@&id>`, `#general` -> `<#id>`; null for an unknown name, and for
 * the display name of several users.
 */
function mentionOf(name: string, nameable: Mentionable): string | null {
  const wanted = name.slice(1).toLowerCase();
  if (name.startsWith('@')) {
    const user = nameable.users.find((item) => item.username.toLowerCase() === wanted);
    if (user !== undefined) return `<@${user.id}>`;
    const role = nameable.roles.find((item) => item.name.toLowerCase() === wanted);
    if (role !== undefined) return `<@&${role.id}>`;
    const [named, other] = nameable.users.filter(
      ({ displayName }) => displayName.toLowerCase() === wanted,
    );
    return named && !other ? `<@${named.id}>` : null;
  }
  const channel = nameable.channels.find((item) => item.name.toLowerCase() === wanted);
  return channel === undefined ? null : `<#${channel.id}>`;
}

/** Types of options whose values are ids: a bot cannot look up names. */
const NAMED = new Set(['user', 'role', 'mentionable', 'channel']);

/** Returns the mention for a value of an option; its type decides between a user and a role with the same name. */
export function mentionFor(type: string, name: string, nameable: Mentionable): string | null {
  if (!NAMED.has(type) || !/^[@#]/.test(name)) return null;
  return mentionOf(name, {
    ...nameable,
    users: type === 'role' ? [] : nameable.users,
    roles: type === 'user' ? [] : nameable.roles,
  });
}

/** Replaces names of users and channels in a message with mentions, except in code. */
export function resolveMentions(text: string, nameable: Mentionable): string {
  const names = nameable.users
    .map(({ displayName }) => displayName.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
    .toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp(
    String.raw`(^|[\s(])(@(?:${names.join('|')})(?![\p{L}\p{N}_-])|[@#][\p{L}\p{N}_.-]+)`,
    'giu',
  );
  return text
    .split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part.replace(pattern, (whole: string, before: string, name: string) => {
        const bare = name.replace(/[.-]+$/, '');
        const mention = mentionOf(name, nameable);
        if (mention !== null) return before + mention;
        const shorter = mentionOf(bare, nameable);
        return shorter === null ? whole : before + shorter + name.slice(bare.length);
      });
    })
    .join('');
}

/** Returns the name of a mention in its typed form, with its sign. */
function nameOf(sign: string, id: string, { users, roles, channels }: Mentionable) {
  const user = sign === '@' ? users.find((item) => item.id === id) : undefined;
  if (user !== undefined) return `@${user.username}`;
  const named = (sign === '@&' ? roles : sign === '#' ? channels : []).find(
    (item) => item.id === id,
  );
  return named && `${sign === '#' ? '#' : '@'}${named.name}`;
}

/** Replaces mentions with names for an edit; none, if one of the names would not resolve to its mention again. */
export function showMentions(text: string, nameable: Mentionable): string {
  const shown = text.replaceAll(
    /<(@&|@|#)([0-9a-f-]{36})>/gi,
    (mention: string, sign: string, id: string) => {
      const name = nameOf(sign, id, nameable);
      return name !== undefined && mentionOf(name, nameable) === mention ? name : mention;
    },
  );
  return resolveMentions(shown, nameable) === text ? shown : text;
}
