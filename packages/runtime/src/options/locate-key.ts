import type { SourceLocation } from '@virgule/core/errors';

/** A file and, if known, its text. */
export interface SourceFile {
  readonly file: string;
  readonly source?: string | undefined;
}

/**
 * Returns the place that `find` finds in the code of a file, without comments and strings; the file alone if `find`
 * returns -1, or the text is unknown.
 */
function locate(
  { file, source }: SourceFile,
  find: (code: string, source: string) => number,
): SourceLocation {
  if (source === undefined) return { file };
  const index = find(blank(source), source);
  return index < 0 ? { file } : { file, ...positionAt(source, index) };
}

const escapeName = (name: string): string => name.replace(/[^\w]/g, String.raw`\$&`);

/** Patterns for the code before a key of an object, and before a declared name. */
const IN_OBJECT = String.raw`(?:^|[{,])\s*(?:async\s+)?(?:\*\s*)?`;
const DECLARED = String.raw`\b(?:const|let|var|function|class)[\s*]+`;

/** Returns a pattern for a name, quoted or not. The lookbehind comes last, because it is slow after millions of spaces. */
function namePattern(name: string, before: string): string {
  const quoted = String.raw`['"]?${escapeName(name)}`;
  return String.raw`(?<![\w$.])${quoted}(?<=(?:${before})${quoted})(?![\w$])(?=['"]?\s*[:=,(}])`;
}

/** Returns the index of the first occurrence of a name at or after `from`; -1 if there is none. */
function indexOfName(code: string, name: string, before: string, from = 0): number {
  const pattern = new RegExp(namePattern(name, before), 'g');
  pattern.lastIndex = from;
  return pattern.exec(code)?.index ?? -1;
}

/** Locates the key of an option in a command's file. Falls back to the start of the options. */
export const locateKey = (place: SourceFile, key: string): SourceLocation =>
  locatePath(place, ['options', key]);

/**
 * Locates a key in the definition of a file, such as `['profile', 'pageMax']`. If the definition does not have the key,
 * locates the first key or declaration of that name. Falls back to the enclosing key, then to the file alone.
 */
export function locatePath(place: SourceFile, path: readonly string[]): SourceLocation {
  return locate(place, (code, source) => {
    let found = -1;
    for (const key of path.filter((name) => name !== '')) {
      const next = [
        found < 0 ? definitionKeyIndex(code, key) : indexOfName(code, key, IN_OBJECT, found),
        // The value of the enclosing key may be a constant that is declared above.
        indexOfName(code, key, `${IN_OBJECT}|${DECLARED}`),
        // Searches strings too: a quote in a regular expression makes code look like a string, and a guess is better than no line.
        found < 0 ? indexOfName(source, key, IN_OBJECT) : -1,
      ].find((index) => index >= 0);
      found = next ?? found;
    }
    return found;
  });
}

/** Locates the declaration of an export; else the first key with its name. */
export function locateExport(place: SourceFile, name: string): SourceLocation {
  const declared = locate(place, (code) => indexOfName(code, name, DECLARED));
  return declared.line === undefined ? locatePath(place, [name]) : declared;
}

/** Patterns for the start of the definition: the default export, or else the first call of a `define…` function. */
const DEFINITIONS = [
  /\bexport\s+default\s+(?=\{)/,
  /\bexport\s+default\s+define[A-Z]\w*\s*(?:<[^(){}]*>)?\s*\(/,
  /(?<![\w$.])define[A-Z]\w*\s*(?:<[^(){}]*>)?\s*\(/,
];

/** Returns the index of the least nested key with a name after the start of the definition; -1 if there is none. */
function definitionKeyIndex(code: string, name: string): number {
  const found = DEFINITIONS.map((pattern) => pattern.exec(code)).find((match) => match !== null);
  if (!found) return -1;
  const definition = code.slice(found.index);
  const keys = [...definition.matchAll(new RegExp(namePattern(name, IN_OBJECT), 'g'))];
  const [outermost] = keys.toSorted((a, b) => depthOf(a) - depthOf(b));
  return outermost ? found.index + outermost.index : -1;
}

/** Returns the number of open brackets at the start of a match. */
function depthOf({ index, input }: RegExpExecArray): number {
  const before = input.slice(0, index);
  return before.replace(/[^[({]/g, '').length - before.replace(/[^\])}]/g, '').length;
}

/** Locates the default export of a file; the file alone if it has none. */
export const locateDefaultExport = (place: SourceFile): SourceLocation =>
  locate(place, (code) => code.search(/\bexport\s+default\b|\bexport\s*\{[^}]*\bdefault\b/));

/** Returns the line and column of an index, both counted from 1. */
function positionAt(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: index - lineStart + 1 };
}

const NO_CODE = /\/\/[^\n]*|\/\*[^]*?\*\/|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;

/**
 * Replaces comments and strings with spaces, so that only code is searched; quoted keys stay. Escapes are replaced first: a
 * pattern for a string with escapes would exhaust the stack, because it keeps a state for each of them.
 */
const blank = (source: string): string =>
  source.replace(/\\[\\'"`]/g, '  ').replace(NO_CODE, (text, index: number) => {
    const end = index + text.length;
    const isKey = /^['"]/.test(text) && /^\s*:/.test(source.slice(end, end + 20));
    return isKey ? text : text.replace(/[^\n]+/g, (line) => ' '.repeat(line.length));
  });

const WHOLE_ZOD = /^([ \t]*)import\s+(?:\{[^}]*\bz\b[^}]*\}|z)\s*from\s*['"]zod['"]/m;

/** Locates an import of the name `z` from zod; `undefined` if there is none. */
export function locateWholeZod({ file, source = '' }: SourceFile): SourceLocation | undefined {
  const found = WHOLE_ZOD.exec(source);
  return found ? { file, ...positionAt(source, found.index + (found[1] ?? '').length) } : undefined;
}
