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
