import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The specifier of an `import()` that is put together at run time: its literal parts, with any string between two of them. */
export type ImportPattern = readonly string[];

/**
 * Reads an expression such as `` `../lib/${name}.js` `` or `'../lib/' + name + '.js'`.
 *
 * @returns `undefined` unless it begins with a literal path that begins with `./` or `../`.
 */
export function readImportPattern(expression: string): ImportPattern | undefined {
  const parts: string[] = [''];
  let at = 0;
  /** Appends to the last part, which can be continued; between an expression and a literal there is a `+`. */
  const literal = (text: string): void => void (parts[parts.length - 1] += text);
  while (at < expression.length) {
    const letter = expression[at] ?? '';
    if (letter === '"' || letter === "'") {
      const end = endOfQuoted(expression, at);
      literal(unescaped(expression.slice(at + 1, end)));
      at = end + 1;
    } else if (letter === '`') {
      at = readTemplate(expression, at, literal, () => parts.push(''));
    } else if (letter === '+' || /\s/.test(letter)) {
      at += 1;
    } else {
      parts.push('');
      at = endOfOperand(expression, at);
    }
  }
  const [first = ''] = parts;
  return parts.length > 1 && /^\.\.?\//.test(first) ? parts : undefined;
}

function readTemplate(
  text: string,
  start: number,
  literal: (text: string) => void,
  wildcard: () => void,
): number {
  let at = start + 1;
  let from = at;
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('${', at)) {
      literal(unescaped(text.slice(from, at)));
      wildcard();
      at = endOfBrackets(text, at + 1);
      from = at;
    } else at += 1;
  }
  literal(unescaped(text.slice(from, at)));
  return at + 1;
}

/** Returns the place behind an operand: up to a `+` outside of brackets and quotes. */
function endOfOperand(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '+') {
    const letter = text[at] ?? '';
    if (letter === '"' || letter === "'" || letter === '`') at = endOfQuoted(text, at) + 1;
    else if ('([{'.includes(letter)) at = endOfBrackets(text, at);
    else at += 1;
  }
  return at;
}

/** Returns the place behind the bracket that closes the one at `start`. */
function endOfBrackets(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !')]}'.includes(text[at] ?? '')) {
    const letter = text[at] ?? '';
    if (letter === '"' || letter === "'" || letter === '`') at = endOfQuoted(text, at) + 1;
    else if ('([{'.includes(letter)) at = endOfBrackets(text, at);
    else at += 1;
  }
  return at + 1;
}

function endOfQuoted(text: string, start: number): number {
  const quote = text[start];
  let at = start + 1;
  while (at < text.length && text[at] !== quote) {
    if (text[at] === '\\') at += 2;
    else if (quote === '`' && text.startsWith('${', at)) at = endOfBrackets(text, at + 1);
    else at += 1;
  }
  return at;
}

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

/** What a specifier may end with for a file on disk, as TypeScript and this framework read it; `''` is no extension. */
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.ts': ['.js', '.ts', ''],
  '.tsx': ['.js', '.jsx', '.tsx', ''],
  '.mts': ['.mjs', '.mts'],
  '.cts': ['.cjs', '.cts'],
  '.js': ['.js', ''],
  '.jsx': ['.jsx', ''],
  '.mjs': ['.mjs'],
  '.cjs': ['.cjs'],
  '.json': ['.json', ''],
};

/** No module of a bot, although it may be next to one. */
const NO_MODULE = /\.d\.[cm]?ts$|\.(?:test|spec)\./;

/**
 * Finds the files that a pattern can mean, for a file in `folder`.
 *
 * @returns absolute paths by specifier, as the expression can evaluate to it.
 */
export function filesOfPattern(pattern: ImportPattern, folder: string): Map<string, string> {
  const [first = ''] = pattern;
  const base = first.slice(0, first.lastIndexOf('/') + 1);
  const regex = new RegExp(`^${pattern.map(escapeRegex).join('.+')}$`, 's');
  const found = new Map<string, string>();
  for (const file of filesBelow(path.join(folder, base))) {
    const relative = path.relative(path.join(folder, base), file).split(path.sep).join('/');
    const extension = path.extname(file);
    if (NO_MODULE.test(file)) continue;
    const stem = relative.slice(0, relative.length - extension.length);
    for (const ending of WRITTEN_AS[extension] ?? []) {
      const specifier = `${base}${stem}${ending}`;
      // The file that is spelled as the specifier comes first, then the sources, as when files are imported.
      const isExact = ending === extension;
      if (regex.test(specifier) && (isExact || !found.has(specifier))) found.set(specifier, file);
    }
  }
  return found;
}

const escapeRegex = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

function filesBelow(folder: string): string[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (!entry.isDirectory()) return [file];
      return entry.name === 'node_modules' || entry.name.startsWith('.') ? [] : filesBelow(file);
    });
}
