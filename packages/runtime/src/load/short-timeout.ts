import { durationMs } from '../define/duration.js';
import { blank, positionAt } from '../options/locate-key.js';

/** A wait in a file, as it is written there. */
export interface WrittenWait {
  readonly wait: string;
  readonly line: number;
  readonly column: number;
}

/** Waits: `within: '30s'` and `sleep('30s')`. */
const WAITS = /(?<![\w$])(?:within\s*:|sleep\s*\()/g;
const LITERAL = /^\s*(['"`])([\w.]{1,20})\1/;
const NAME = /^\s*([A-Za-z_$][\w$]*)\s*[,)}]/;
/** The end of a constant that is a single literal. */
const END_OF_CONSTANT = /^[ \t]*(?:as const[ \t]*)?(?:[;,}\n\r]|$)/;

/**
 * Returns the waits in a command's file that its timeout would end first, in the order of the file. Only
 * literal durations are found, in the call or in a constant: other values are known only when the command
 * runs.
 */
export function waitsPast(source: string, timeoutMs: number): WrittenWait[] {
  const found: WrittenWait[] = [];
  const code = blank(source);
  for (const match of code.matchAll(WAITS)) {
    const value = source.slice(match.index + match[0].length);
    const wait = LITERAL.exec(value)?.[2] ?? constantOf(NAME.exec(value)?.[1], code, source);
    const waitMs = durationMs(wait);
    if (waitMs === undefined || waitMs < timeoutMs) continue;
    found.push({ wait, ...positionAt(source, match.index) });
  }
  return found;
}

/** Returns the string of a constant of the file; empty if there is none, or several of that name. */
function constantOf(name: string | undefined, code: string, source: string): string {
  if (name === undefined) return '';
  const escaped = name.replaceAll('$', String.raw`\$`);
  const declaration = new RegExp(
    String.raw`(?<![\w$.])(const|let|var)\s+${escaped}(?![\w$])[^=;]*=`,
    'g',
  );
  const [first, ...others] = code.matchAll(declaration);
  if (first?.[1] !== 'const' || others.length > 0) return '';
  const value = source.slice(first.index + first[0].length);
  const [literal, , text = ''] = LITERAL.exec(value) ?? [''];
  return END_OF_CONSTANT.test(value.slice(literal.length)) ? text : '';
}
