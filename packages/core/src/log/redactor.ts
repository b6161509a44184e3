import { orUndefined } from '../objects/or-undefined.js';

/** Replaces the secrets in a string with `[redacted]`. */
export type Redactor = ReturnType<typeof createRedactor>;

/** The replacement of a secret. */
export const CENSOR = '[redacted]';

/** Minimum length of a secret: shorter strings are part of ordinary words. */
const SECRET_MIN_LENGTH = 4;
/** Minimum length of lines and list items of a secret that are secrets themselves. */
const ITEM_MIN_LENGTH = 8;
/** Minimum length of lines and list items without a digit, which are usually words. */
const WORDLESS_MIN_LENGTH = 20;
/** Line breaks of a multi-line key, which often has `\\n` in an environment. */
const LINE_BREAKS = /(?:\\n|[\r\n])+/;
const SEPARATORS = /(?:\\n|[\r\n,;])+/;

/**
 * Returns a function that replaces secrets of 4 characters or more, also in JSON and URLs. Parts that are secrets too:
 * passwords in URLs, connection strings and JSON, the token after `Bot`, `Bearer` or `Basic`, and long parts between line
 * breaks, commas and semicolons, such as lines of a PEM key.
 */
export function createRedactor(secrets: readonly string[] = []) {
  let known: ReadonlySet<string>;
  let pattern: RegExp | undefined;
  function set(next: readonly string[]): void {
    known = new Set(next);
    pattern = patternOf(known);
  }
  set(secrets);
  const redact = (text: string): string => (pattern ? text.replace(pattern, CENSOR) : text);
  return Object.assign(redact, {
    /** Adds secrets. */
    hide(more: readonly string[]): void {
      if (more.some((secret) => !known.has(secret))) set([...known, ...more]);
    },
    /** Replaces all secrets. */
    set,
  });
}

function patternOf(secrets: Iterable<string>): RegExp | undefined {
  const forms = new Set<string>();
  for (const secret of secrets)
    for (const part of partsOf(secret))
      if (part.length >= SECRET_MIN_LENGTH) for (const form of formsOf(part)) forms.add(form);
  if (forms.size === 0) return undefined;
  // Sorted by length, because a secret may contain another one.
  const alternatives = [...forms].sort((a, b) => b.length - a.length).map(escapePattern);
  return new RegExp(alternatives.join('|'), 'g');
}

/** Returns a secret and its parts that are secrets themselves. */
function partsOf(secret: string): string[] {
  const bare = secret.trim().replace(/^(?:Bot|Bearer|Basic)\s+/i, '');
  const lines = secret.split(LINE_BREAKS);
  const items = secret.split(SEPARATORS).map((item) => item.trim());
  return [
    secret,
    bare,
    lines.join(''),
    lines.join(' ').trim(),
    ...items.filter(isKeyLike),
    ...passwordsIn(bare),
  ];
}

const isKeyLike = (item: string): boolean =>
  item.length >= (/\d/.test(item) ? ITEM_MIN_LENGTH : WORDLESS_MIN_LENGTH);

/** Returns a string in its forms: unchanged, in JSON, in JSON inside JSON, and in a URL. */
function formsOf(text: string): string[] {
  const json = inJson(text);
  const url = orSame(encodeURIComponent, text);
  return [text, json, inJson(json), url, url.replaceAll('%20', '+')];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** `://user:password@`; the part after the colon may also be a port and a path. */
const USER = /:\/\/([^\s:@/]*)(?::(?!\d{1,5}\/)(\S*?))?@/g;
/** `Password=…;` and `"password": "…"` */
const NAMED = /(?:passw(?:or)?d|passphrase|pwd|secret|token|key)"?\s*[=:]\s*"?([^\s;,"]+)/gi;

/** Returns the passwords in URLs, connection strings and JSON. A key-like user without a password is a token. */
function passwordsIn(text: string): string[] {
  const inUrl = URL.canParse(text) ? [new URL(text).password] : [];
  const users = [...text.matchAll(USER)].map(
    ([, user = '', password]) => password ?? (isKeyLike(user) ? user : ''),
  );
  const named = [...text.matchAll(NAMED)].map(([, value = '']) => value);
  return [...inUrl, ...users, ...named].flatMap((found) => [
    found,
    orSame(decodeURIComponent, found),
  ]);
}

/** Returns the converted string, or the same string if it has lone surrogates or invalid percent-encoding. */
const orSame = (convert: (text: string) => string, text: string): string =>
  orUndefined(() => convert(text)) ?? text;

const escapePattern = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
