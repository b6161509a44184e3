import { UUID } from '@virgule/core/text';
import { safeLink } from './safe-link.js';

/** A piece of text within a line. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'bold' | 'italic'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly text: string }
  | { readonly kind: 'mention'; readonly of: 'user' | 'channel' | 'role'; readonly id: string };

/** Maximum depth of nested emphasis; deeper marks remain text. */
const DEPTH_MAX = 4;

const MENTION = new RegExp(`^<(@&|@!?|#)(${UUID})>`, 'i');
const BARE_URL = /^https?:\/\/[^\s<>"'`]+/i;
const NAMED_LINK = /^\[([^[\]\n]{1,500})\]\(([^\s()<>]{1,1900})\)/;
const WORD = /[\p{L}\p{N}_]/u;

interface Found {
  readonly node: Inline;
  /** Number of characters in the source. */
  readonly length: number;
}

function readCode(text: string, at: number): Found | null {
  const fence = /^`+/.exec(text.slice(at))?.[0] ?? '';
  const end = text.indexOf(fence, at + fence.length);
  if (fence === '' || end === -1) return null;
  const code = text.slice(at + fence.length, end);
  return code.trim() === ''
    ? null
    : { node: { kind: 'code', text: code }, length: code.length + fence.length * 2 };
}

function readMention(text: string, at: number): Found | null {
  const found = MENTION.exec(text.slice(at));
  const id = found?.[2];
  if (found === null || id === undefined) return null;
  const of = found[1] === '#' ? 'channel' : found[1] === '@&' ? 'role' : 'user';
  return { node: { kind: 'mention', of, id }, length: found[0].length };
}

function readNamedLink(text: string, at: number): Found | null {
  const found = NAMED_LINK.exec(text.slice(at));
  const href = safeLink(found?.[2] ?? '');
  if (found === null || href === null) return null;
  return { node: { kind: 'link', href, text: found[1] ?? href }, length: found[0].length };
}

function readBareUrl(text: string, at: number): Found | null {
  if (at > 0 && WORD.test(text[at - 1] ?? '')) return null;
  const raw = BARE_URL.exec(text.slice(at))?.[0];
  if (raw === undefined) return null;
  // Punctuation after a URL does not belong to the URL.
  let url = raw.replace(/[.,;:!?*_]+$/, '');
  if (url.endsWith(')') && !url.includes('(')) url = url.slice(0, -1);
  const href = safeLink(url);
  return href === null ? null : { node: { kind: 'link', href, text: url }, length: url.length };
}

const isWordChar = (text: string, at: number): boolean => WORD.test(text[at] ?? ' ');

function readEmphasis(text: string, at: number, depth: number): Found | null {
  if (depth >= DEPTH_MAX) return null;
  const char = text[at] ?? '';
  const mark = text[at + 1] === char ? char + char : char;
  const start = at + mark.length;
  if (/\s/.test(text[start] ?? ' ')) return null;
  // Underscores within a word are not emphasis: snake_case_words.
  if (char === '_' && isWordChar(text, at - 1)) return null;
  let from = start + 1;
  while (from < text.length) {
    const found = text.indexOf(mark, from);
    if (found === -1) return null;
    let after = found;
    while (text[after] === char) after += 1;
    from = after;
    // Two marks in `*a **b** c*` belong to the inner emphasis.
    if (mark.length === 1 && after - found === 2) continue;
    const end = after - mark.length;
    const isClosing =
      !/\s/.test(text[end - 1] ?? ' ') && !(char === '_' && isWordChar(text, after));
    if (!isClosing) continue;
    const children = parseInline(text.slice(start, end), depth + 1);
    const node: Inline = { kind: mark.length === 2 ? 'bold' : 'italic', children };
    return { node, length: after - at };
  }
  return null;
}

/** Readers by the first character of a node. */
const READERS: Readonly<Record<string, (text: string, at: number, depth: number) => Found | null>> =
  {
    '\n': () => ({ node: { kind: 'break' }, length: 1 }),
    '`': readCode,
    '<': readMention,
    '[': readNamedLink,
    h: readBareUrl,
    H: readBareUrl,
    '*': readEmphasis,
    _: readEmphasis,
  };

/** Parses bold, italic, code, links and mentions. Everything else is text. */
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const nodes: Inline[] = [];
  let plain = '';
  let at = 0;
  while (at < text.length) {
    const isEscaped = text[at] === '\\' && /[\\`*_[\]<>#@/-]/.test(text[at + 1] ?? '');
    if (isEscaped) at += 1;
    const found = isEscaped ? null : (READERS[text[at] ?? '']?.(text, at, depth) ?? null);
    if (found === null) {
      plain += text[at] ?? '';
      at += 1;
      continue;
    }
    if (plain !== '') nodes.push({ kind: 'text', text: plain });
    plain = '';
    nodes.push(found.node);
    at += found.length;
  }
  if (plain !== '') nodes.push({ kind: 'text', text: plain });
  return nodes;
}
