/**
 * Words that readers of this field would not understand, each with a replacement. They are refused in
 * strings and doc comments of the packages (`plain-words.mjs`) and in documentation and templates
 * (`words.test.mjs`). Add a row for the next one.
 *
 * @type {readonly { readonly words: RegExp, readonly write: string }[]}
 */
export const words = [
  { words: /\bmend(s|ed|ing)?\b/i, write: 'fix' },
  { words: /\b(tells?|told|telling)\b/i, write: 'report, log, say or show' },
  { words: /\btellers?\b/i, write: 'notifier' },
  { words: /\b(hears?|heard|hearing)\b/i, write: 'receives, listens to' },
  {
    words: /\b(whoever|nobody|somebody|everybody|anybody)\b/i,
    write: 'the caller, no one, the user: the actor',
  },
  { words: /\banew\b/i, write: 'again' },
  { words: /\b(misfits?|unfit|sound|strange)\b/i, write: 'mismatch, unsupported, valid, invalid' },
  { words: /\bdefects? of\b/i, write: 'a bug in' },
  { words: /\ball is well\b/i, write: 'no problems' },
  { words: /\bon (its|their) way\b/i, write: 'in flight' },
  { words: /\bunder way\b/i, write: 'in progress, running' },
  { words: /\b(stands?|stood)\b/i, write: 'is, remains' },
  { words: /\bbeside\b/i, write: 'next to, in addition to' },
  // "Gives up" is what a retry does.
  { words: /\bgives?\b(?! up\b)/i, write: 'returns, passes' },
  { words: /\b(comes?|becomes?) of\b/i, write: 'results from' },
  { words: /\bcom(e|es|ing) to (an|its|their) end\b/i, write: 'ends, completes' },
  { words: /\bfor ever\b/i, write: 'indefinitely, never ends' },
  { words: /\b(go|goes|going|went|gone) on\b/i, write: 'continues' },
  { words: /\b(lets?|letting) go of\b/i, write: 'releases, cancels, removes' },
  { words: /\b(leave|leaves|left) (it )?away\b/i, write: 'omit' },
  { words: /\bpassed over\b/i, write: 'skipped, ignored' },
  { words: /\btaken for (a|an|one|none)\b/i, write: 'treated as, counted as' },
  { words: /\blook(s|ed|ing)? whether\b/i, write: 'check whether' },
  { words: /\bleads? nowhere\b/i, write: 'does not exist, does not resolve' },
  { words: /\bdo(es)? no harm\b/i, write: 'is safe, is allowed' },
  { words: /\bin vain\b/i, write: 'without success' },
  { words: /\bwithout a word\b/i, write: 'silently' },
  { words: /\blast words\b/i, write: 'final reply' },
  { words: /\bsigns? of life\b/i, write: 'heartbeat, response' },
  { words: /\bunasked\b/i, write: 'automatically, by default' },
  { words: /\bnearly no\b/i, write: 'almost no' },
  {
    words:
      /\b(misspelt|licences?|behaviours?|colours?|coloured|favour(s|ed|ite)?|neighbours?|neighbouring|honour(s|ed)?|catalogue|whilst|(organi|recogni|summari|normali|initiali|seriali)s(e|es|ed|ing|ation))\b/i,
    write: 'American spelling',
  },
];

/**
 * Forms of sentences in comments that cannot be understood without the code below: each with a replacement.
 *
 * @type {typeof words}
 */
export const sentenceForms = [
  {
    words: /^[\s*]*(What|How|Whether|Those|Which|Who|Of|Where|When)\b/,
    write: 'a noun or a verb at the beginning',
  },
  { words: /\b(those that|ones? that|what it|of its own|so long as)\b/i, write: 'the noun' },
  { words: /\bfor want of\b/i, write: 'without' },
];

/**
 * Returns the private words in a text, with their replacements.
 *
 * @param {string} text
 * @param {typeof words} [table]
 * @returns {{ found: string, write: string }[]}
 */
export function privateWords(text, table = words) {
  return table.flatMap(({ words: pattern, write }) => {
    const found = pattern.exec(text);
    return found ? [{ found: found[0], write }] : [];
  });
}
