import type { SourceLocation } from '@virgule/core/errors';

/** A file and, if known, its text. */
export interface SourceFile {
  readonly file: string;
  readonly source?: string | undefined;
}

/** Locates the options of a command in its file; the file alone if they are not found. */
export function locateOptions({ file, source }: SourceFile): SourceLocation {
  if (source === undefined) return { file };
  const index = optionsIndex(blank(source));
  return index < 0 ? { file } : { file, ...positionAt(source, index) };
}

/** Locates the key of an option in a command's file. Falls back to the start of the options. */
export function locateKey({ file, source }: SourceFile, key: string): SourceLocation {
  if (source === undefined) return { file };
  const code = blank(source);
  const name = key.replace(/[^\w]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\w$.'"])(?:'${name}'|"${name}"|${name})(?=\s*:)`, 'g');
  // A key of the command itself may carry the same name before its options begin.
  pattern.lastIndex = Math.max(0, optionsIndex(code));
  const match = pattern.exec(code) ?? pattern.exec(code);
  return match ? { file, ...positionAt(source, match.index) } : locateOptions({ file, source });
}

/** Locates the first key, export or declaration of a name in a file; the file alone if there is none. */
export function locateName({ file, source }: SourceFile, name: string): SourceLocation {
  if (source === undefined) return { file };
  const escaped = name.replace(/[^\w]/g, String.raw`\$&`);
  const pattern = new RegExp(String.raw`(?<![\w$.])['"]?${escaped}(?![\w$])(?=['"]?\s*[:=,(])`);
  const inCode = blank(source).search(pattern);
  // A regular expression with a quote in it makes code look like a string: a guess is better than no line.
  const index = inCode < 0 ? source.search(pattern) : inCode;
  return index < 0 ? { file } : { file, ...positionAt(source, index) };
}

/** Locates the default export of a file; the file alone if it has none. */
export function locateDefaultExport({ file, source }: SourceFile): SourceLocation {
  if (source === undefined) return { file };
  const index = blank(source).search(/\bexport\s+default\b|\bexport\s*\{[^}]*\bdefault\b/);
  return index < 0 ? { file } : { file, ...positionAt(source, index) };
}

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
