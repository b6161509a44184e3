import path from 'node:path';
import type { Import } from 'es-module-lexer';

/** A path relative to the module, written as a literal. */
export interface Reached {
  readonly literal: string;
  readonly isUrl: boolean;
  /** Where the literal is, with its quotes. */
  readonly start: number;
  readonly end: number;
}

/** No path is longer, in characters. */
const MAX_BEFORE_LENGTH = 1_000;

const STRING = String.raw`"(?:[^"\\]|\\.)*"|\`[^\`$\\]*\``;
const URL_BEFORE = new RegExp(String.raw`\bnew URL\(\s*(${STRING})\s*,\s*$`);
const JOIN_AFTER = new RegExp(String.raw`^\.dirname((?:\s*,\s*(?:${STRING}))+)\s*\)`);

/**
 * Returns what `new URL("./x", import.meta.url)` or `join(import.meta.dirname, "x")` reaches, as the
 * compiler prints them.
 */
export function reachedFrom(code: string, { start, end }: Import): Reached | undefined {
  const before = code.slice(Math.max(0, start - MAX_BEFORE_LENGTH), start);
  const after = code.slice(end, end + MAX_BEFORE_LENGTH);
  const url = /^\.url\s*\)/.test(after) ? URL_BEFORE.exec(before) : null;
  if (url?.[1] !== undefined) {
    const literalStart = start - before.length + url.index + url[0].indexOf(url[1]);
    const literal = valueOf(url[1]);
    if (!/^\.\.?\//.test(literal)) return undefined;
    return { literal, isUrl: true, start: literalStart, end: literalStart + url[1].length };
  }
  const joined = /\b(?:join|resolve)\(\s*$/.test(before) ? JOIN_AFTER.exec(after)?.[1] : undefined;
  if (joined === undefined) return undefined;
  const parts = [...joined.matchAll(new RegExp(STRING, 'g'))].map(([part]) => valueOf(part));
  return { literal: path.join(...parts), isUrl: false, start: end, end };
}

const valueOf = (literal: string): string =>
  literal.startsWith('"') ? (JSON.parse(literal) as string) : literal.slice(1, -1);

/** Returns whether the place of the module is read. */
export const isPlaceOf = (code: string, { end }: Import): boolean =>
  /^\s*\.\s*(?:url|dirname|filename)\b/.test(code.slice(end, end + MAX_BEFORE_LENGTH));
