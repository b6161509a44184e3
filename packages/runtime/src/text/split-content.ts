import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';

export interface ContentCut {
  /** Complete text of the first message; empty if there was only white space. */
  readonly part: string;
  /** Line that reopens a code block at the start of the next message; else empty. */
  readonly opening: string;
  readonly rest: string;
}

/** Minimum fill of a message, as a share of its maximum length, for a cut at a line or a word instead of within a word. */
const FULL_ENOUGH = 0.5;

/**
 * Splits a text into messages: at the end of a line, else between words, else between grapheme clusters. A code block that does
 * not end in a message is closed there and reopened in the next one. Only white space at the cuts is lost.
 *
 * @returns at least one text; none is empty unless `text` is, none is longer than `max`.
 */
export function splitContent(text: string, max = CONTENT_MAX_LENGTH): string[] {
  const parts: string[] = [];
  let opening = '';
  let body = text;
  for (;;) {
    const cut = cutContent(opening + body, max);
    if (!cut) break;
    if (cut.part !== '') parts.push(cut.part);
    ({ opening, rest: body } = cut);
  }
  if (body.trim() !== '') parts.push(opening + body);
  return parts.length > 0 ? parts : [text.slice(0, max)];
}

/** Cuts the first message off a text that is too long for one message; `null` if the text is short enough. */
export function cutContent(text: string, max = CONTENT_MAX_LENGTH): ContentCut | null {
  if (text.length <= max) return null;
  const at = cutAt(text, max, Math.ceil(max * FULL_ENOUGH));
  const fence = openFence(text.slice(0, at));
  if (!fence) return cutPlain(text, at);
  // A shorter message is better than a divided code block.
  if (fence.at >= max * FULL_ENOUGH) return cutPlain(text, fence.at);
  const room = max - fence.quote.length - fence.marker.length - 1;
  const min = fence.bodyAt + fence.quote.length + 1;
  return cutInside(text, fence, cutAt(text, room, Math.max(min, room * FULL_ENOUGH)));
}

function cutPlain(text: string, at: number): ContentCut {
  const rest = text.slice(at);
  const isBetweenLines = text[at] === '\n' || text[at - 1] === '\n';
  return {
    part: text.slice(0, at).trimEnd(),
    opening: '',
    rest: isBetweenLines ? withoutBlankLines(rest) : rest.trimStart(),
  };
}

/** Cuts inside a code block, where every space counts: only the line break at the cut is removed. */
function cutInside(text: string, fence: OpenFence, at: number): ContentCut {
  const before = text.slice(0, at).replace(/\r$/, '');
  const after = text.slice(at).replace(/^\r?\n/, '');
  const part = `${before}\n${fence.quote}${fence.marker}`;
  const isInLine = text.length - at === after.length;
  const rest = isInLine ? fence.quote + after : after;
  const [line = ''] = rest.split('\n', 1);
  const role = roleOf(line, fence);
  if (role === 'inside') return { part, opening: `${fence.opening}\n`, rest };
  const next = role === 'closing' ? rest.slice(line.length + 1) : rest;
  return { part, opening: '', rest: withoutBlankLines(next) };
}

/** Removes blank lines at the start. The first other line keeps its indentation: the line may be part of a list. */
const withoutBlankLines = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '');

/** Returns the index of a cut with at most `max` and, if possible, at least `min` characters before the cut. */
function cutAt(text: string, max: number, min: number): number {
  const line = text.lastIndexOf('\n', max);
  if (line >= min) return line;
  for (let at = max; at >= min; at -= 1) {
    // A combining mark after a space belongs to the space.
    if (/\s/.test(text[at] ?? '') && !/^[\p{M}\u200d]/u.test(text.slice(at + 1, at + 3))) return at;
  }
  return boundaryBefore(text, max, min);
}

/** A code block that is open at a position of a text. */
interface OpenFence {
  readonly at: number;
  readonly bodyAt: number;
  /** Start of each line of the block, such as `> ` in a block quote, and the indentation of its fence. */
  readonly quote: string;
  /** Marker that closes the block: three or more backticks or tildes. */
  readonly marker: string;
  /** Line that reopens the block in another message. */
  readonly opening: string;
}

/** A fence: `>` in a block quote and an indentation, the marker, and an info string, which contains no backticks after a marker of backticks. */
const FENCE = /^((?:(?: {0,3}>)+ ?)? {0,3})(?:(`{3,})([^`]*)|(~{3,})(.*))$/s;
const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})\s*$/;
/** Maximum lengths of a marker and its info string. A longer line is treated as text: repeating it would fill the next message. */
const MAX_MARKER_LENGTH = 16;
const MAX_INFO_LENGTH = 40;

/** Returns the code block that is open at the end of `text`; `null` if there is none. */
export const openFence = (text: string): OpenFence | null => readFences(text).open;

/** Returns the code block that is open at the end of `text`, and the end of the last closed one; 0 if there is none. */
export function readFences(text: string) {
  let open: OpenFence | null = null;
  let closedAt = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const role: LineRole = open ? roleOf(line, open) : 'after';
    if (role === 'closing') closedAt = at + line.length;
    if (role !== 'inside') open = role === 'after' ? fenceOf(line, at) : null;
    at += line.length + 1;
  }
  return { open, closedAt };
}

/** Returns the code block that a line opens; `null` for any other line. */
function fenceOf(line: string, at: number): OpenFence | null {
  const match = FENCE.exec(line);
  const [, quote = '', backticks, code, tildes = '', text = ''] = match ?? [];
  const marker = backticks ?? tildes;
  const info = (code ?? text).trim();
  const isLong = Math.max(marker.length, quote.length) > MAX_MARKER_LENGTH;
  if (!match || isLong || info.length > MAX_INFO_LENGTH) return null;
  return { at, bodyAt: at + line.length + 1, quote, marker, opening: `${quote}${marker}${info}` };
}

type LineRole = 'inside' | 'closing' | 'after';

/** Returns the role of a line below an open code block. A block ends with its block quote too. */
function roleOf(line: string, { quote, marker }: OpenFence): LineRole {
  const depth = quote.replace(/[^>]/g, '').length;
  const start = depth === 0 ? '' : new RegExp(`^(?: {0,3}>){${depth}} ?`).exec(line)?.[0];
  if (start === undefined) return 'after';
  const closing = CLOSING_FENCE.exec(line.slice(start.length))?.[1];
  return closing?.startsWith(marker) === true ? 'closing' : 'inside';
}

let segmenter: Intl.Segmenter | undefined;

/** Number of code units that are read after a position to find the end of a character: more than any emoji has. */
const GRAPHEME_LENGTH = 64;

/** Returns the last boundary between grapheme clusters from `min` to `at`, else between code points. */
function boundaryBefore(text: string, at: number, min: number): number {
  segmenter ??= new Intl.Segmenter();
  const found = segmenter.segment(text.slice(0, at + GRAPHEME_LENGTH)).containing(at);
  if (found && found.index >= Math.max(min, 1)) return found.index;
  const isInsidePair = isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
  return isInsidePair && at > 1 ? at - 1 : at;
}

/** Returns whether a text ends with the first half of a surrogate pair. */
export const endsHalfway = (text: string): boolean => isHigh(text.charCodeAt(text.length - 1));

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
