import { durationMs } from '../define/duration.js';
import { blank, positionAt } from '../options/locate-key.js';

/** A length of time that a file waits for, as it is written there. */
export interface LiteralWait {
  readonly wait: string;
  readonly line: number;
  readonly column: number;
}

/** What takes a duration and waits that long: `within: '30s'` and `sleep('30s')`. */
const WAITS = /(?<![\w$])(?:within\s*:|sleep\s*\()/g;
const LITERAL = /^\s*(['"`])([\w.]{1,20})\1/;

/**
 * The waits in a command's file that its timeout would cut short, in the order they stand there. Only
 * durations that are written out are seen: what a variable holds is known when the command runs.
 */
export function waitsPast(source: string, timeoutMs: number): LiteralWait[] {
  const found: LiteralWait[] = [];
  for (const match of blank(source).matchAll(WAITS)) {
    const [, , wait = ''] = LITERAL.exec(source.slice(match.index + match[0].length)) ?? [];
    const waitMs = durationMs(wait);
    if (waitMs === undefined || waitMs < timeoutMs) continue;
    found.push({ wait, ...positionAt(source, match.index) });
  }
  return found;
}
