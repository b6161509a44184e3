/** Number of hues of avatars. */
export const AVATAR_HUES = 8;

/** Returns the hue of an id. */
export function avatarHue(id: string): number {
  let hash = 0x811c9dc5;
  for (const char of id) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  // Ids that differ only in their last character should not have adjacent hues.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash >>> 13) % AVATAR_HUES;
}

/** Assigns a hue to each id: the hue of the id, or the next free hue. */
export function assignHues(ids: readonly string[]): ReadonlyMap<string, number> {
  const hues = new Map<string, number>();
  for (const id of ids) {
    let hue = avatarHue(id);
    const taken = new Set([...hues.values()].slice(-(hues.size % AVATAR_HUES || AVATAR_HUES)));
    for (let tries = 0; tries < AVATAR_HUES && taken.has(hue); tries += 1) {
      hue = (hue + 1) % AVATAR_HUES;
    }
    hues.set(id, hue);
  }
  return hues;
}

/** Returns two letters for a server: `Second Home` -> `SH`, `Sandbox` -> `Sa`. */
export function monogram(name: string): string {
  const letters = initials(name);
  const second = [...(/[\p{L}\p{N}]+/u.exec(name)?.[0] ?? '')][1];
  return [...letters].length === 1 && second !== undefined ? letters + second : letters;
}

/** Returns initials: `Demo Bot` -> `DB`, `echo-bot` -> `EB`, `Ada` -> `A`. */
export function initials(name: string): string {
  const words = name.split(/[\s_.-]+/u).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  const letters = words.slice(0, 2).map((word) => [...word][0] ?? '');
  return letters.join('').toUpperCase() || '?';
}
