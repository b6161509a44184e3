import type { Nameable } from './option-values.js';

/** `@ada` -> `<@id>`, `#general` -> `<#id>`; null when the name is nobody's. */
export function mentionOf(name: string, nameable: Nameable): string | null {
  const wanted = name.slice(1).toLowerCase();
  if (name.startsWith('@')) {
    const user = nameable.users.find((item) => item.username.toLowerCase() === wanted);
    return user === undefined ? null : `<@${user.id}>`;
  }
  const channel = nameable.channels.find((item) => item.name.toLowerCase() === wanted);
  return channel === undefined ? null : `<#${channel.id}>`;
}

/** Turns the names of users and channels in a message into mentions; code is left as it is. */
export function resolveMentions(text: string, nameable: Nameable): string {
  const parts = text.split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/);
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part.replace(
        /(^|[\s(])([@#][\p{L}\p{N}_.-]+)/gu,
        (whole: string, before: string, name: string) => {
          const bare = name.replace(/[.-]+$/, '');
          const mention = mentionOf(name, nameable);
          if (mention !== null) return before + mention;
          const shorter = mentionOf(bare, nameable);
          return shorter === null ? whole : before + shorter + name.slice(bare.length);
        },
      );
    })
    .join('');
}

/**
 * The other way round, for a message that is edited. A mention stays an id where its name would not
 * be read back: in code, inside a word, or when two have that name.
 */
export function showMentions(text: string, nameable: Nameable): string {
  let shown = text;
  for (const [mention, sign, id] of text.matchAll(/<([@#])([0-9a-f-]{36})>/gi)) {
    const name =
      sign === '@'
        ? nameable.users.find((user) => user.id === id)?.username
        : nameable.channels.find((channel) => channel.id === id)?.name;
    if (name === undefined) continue;
    // Those before this one that are the same stayed ids for a reason, and are passed over.
    for (let at = shown.indexOf(mention); at !== -1; at = shown.indexOf(mention, at + 1)) {
      const tried = shown.slice(0, at) + sign + name + shown.slice(at + mention.length);
      if (resolveMentions(tried, nameable) !== text) continue;
      shown = tried;
      break;
    }
  }
  return shown;
}
