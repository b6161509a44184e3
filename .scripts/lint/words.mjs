/**
 * Words that a reader of this field would have to ask about, each with what to write. They are
 * refused in strings and doc comments of the packages (`plain-words.mjs`) and in everything written
 * for people (`words.test.mjs`). Add a row for the next one.
 *
 * @type {readonly { readonly words: RegExp, readonly write: string }[]}
 */
export const words = [
  { words: /\bmend(s|ed|ing)?\b/i, write: 'fix' },
  { words: /\b(tells?|told|telling)\b/i, write: 'report, log, say or show' },
  {
    words: /\b(whoever|nobody|somebody|everybody)\b/i,
    write: 'the caller, no one, the user: the actor',
  },
  { words: /\banew\b/i, write: 'again' },
  { words: /\b(misfits?|unfit|sound)\b/i, write: 'mismatch, unsupported, valid' },
  { words: /\bon (its|their) way\b/i, write: 'in flight' },
  { words: /\bunder way\b/i, write: 'in progress, running' },
  { words: /\bstands?\b/i, write: 'is, remains' },
  { words: /\bbeside\b/i, write: 'next to, in addition to' },
  { words: /\bgives?\b/i, write: 'returns, passes' },
  { words: /\b(comes?|becomes?) of\b/i, write: 'results from' },
  { words: /\bhears? of\b/i, write: 'receives' },
  { words: /\bleave (it )?away\b/i, write: 'omit' },
];

/**
 * The rows that a text breaks.
 *
 * @param {string} text
 * @returns {{ found: string, write: string }[]}
 */
export function privateWords(text) {
  return words.flatMap(({ words: pattern, write }) => {
    const found = pattern.exec(text);
    return found ? [{ found: found[0], write }] : [];
  });
}
