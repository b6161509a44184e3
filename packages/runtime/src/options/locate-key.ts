import type { SourceLocation } from '@virgule/core/errors';

/** A file and, if known, its text. */
export interface SourceFile {
  readonly file: string;
  readonly source?: string | undefined;
}

/**
 * Locates what `find` finds in the code of a file, without its comments and strings; the file alone if there
 * is no such place, or no text.
 */
export function locate(
  { file, source }: SourceFile,
  find: (code: string, source: string) => number,
): SourceLocation {
  if (source === undefined) return { file };
  const index = find(blank(source), source);
  return index < 0 ? { file } : { file, ...positionAt(source, index) };
}

/** Returns a global pattern for a key, quoted or not, before what matches `after`. */
export function keyPattern(key: string, after: string): RegExp {
  const name = escapeName(key);
  return new RegExp(String.raw`(?<![\w$.'"])(?:'${name}'|"${name}"|${name})(?=${after})`, 'g');
}

const escapeName = (name: string): string => name.replace(/[^\w]/g, String.raw`\$&`);

/** Locates the options of a command in its file; the file alone if they are not found. */
export const locateOptions = (place: SourceFile): SourceLocation => locate(place, optionsIndex);

/** Locates the key of an option in a command's file. Falls back to the start of the options. */
export function locateKey(place: SourceFile, key: string): SourceLocation {
  return locate(place, (code) => {
    const pattern = keyPattern(key, String.raw`\s*:`);
    // A key of the command itself may carry the same name before its options begin.
    pattern.lastIndex = Math.max(0, optionsIndex(code));
    return (pattern.exec(code) ?? pattern.exec(code))?.index ?? optionsIndex(code);
  });
}

/** Locates the first key, export or declaration of a name in a file; the file alone if there is none. */
export function locateName(place: SourceFile, name: string): SourceLocation {
  return locate(place, (code, source) => {
    const pattern = new RegExp(
      String.raw`(?<![\w$.])['"]?${escapeName(name)}(?![\w$])(?=['"]?\s*[:=,(])`,
    );
    const inCode = code.search(pattern);
    // A regular expression with a quote in it makes code look like a string: a guess is better than no line.
    return inCode < 0 ? source.search(pattern) : inCode;
  });
}

/** Locates the default export of a file; the file alone if it has none. */
export const locateDefaultExport = (place: SourceFile): SourceLocation =>
  locate(place, (code) => code.search(/\bexport\s+default\b|\bexport\s*\{[^}]*\bdefault\b/));

const optionsIndex = (code: string): number => code.search(/(?<![\w$.])options(?=\s*[:=])/);

/** Returns the line and column of an index, both counted from 1. */
export function positionAt(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: index - lineStart + 1 };
}

/** Replaces comments and strings with spaces, so that only code is searched; quoted keys stay. */
export function blank(source: string): string {
  const pattern =
    /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[^])*`/g;
  return source.replace(pattern, (match, offset: number) => {
    const isKey =
      /^['"]/.test(match) &&
      /^\s*:/.test(source.slice(offset + match.length, offset + match.length + 20));
    return isKey ? match : match.replace(/[^\n]/g, ' ');
  });
}
