import { parseInline, type Inline } from './parse-inline.js';

/** A part of a message that consists of whole lines. */
export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'fence'; readonly language: string; readonly text: string }
  | { readonly kind: 'quote'; readonly children: readonly Inline[] }
  | {
      readonly kind: 'list';
      /** First number of a numbered list; null for a bulleted list. */
      readonly start: number | null;
      readonly items: readonly (readonly Inline[])[];
    };

const FENCE = /^```\s*([\w+#.-]*)\s*$/;
const INLINE_FENCE = /^```(.+?)```\s*$/;
const QUOTE = /^>\s?(.*)$/;
const BULLET = /^\s{0,3}[-*+]\s+(.*)$/;
const NUMBER = /^\s{0,3}(\d{1,9})[.)]\s+(.*)$/;

type LineKind = 'fence' | 'quote' | 'bullet' | 'number' | 'blank' | 'text';

function kindOf(line: string): LineKind {
  if (FENCE.test(line) || INLINE_FENCE.test(line)) return 'fence';
  if (QUOTE.test(line)) return 'quote';
  if (BULLET.test(line)) return 'bullet';
  if (NUMBER.test(line)) return 'number';
  return line.trim() === '' ? 'blank' : 'text';
}

function readFence(lines: readonly string[], start: number): [Block, number] {
  const line = lines[start] ?? '';
  const inline = INLINE_FENCE.exec(line)?.[1];
  if (inline !== undefined) return [{ kind: 'fence', language: '', text: inline }, 1];
  const end = lines.findIndex((item, index) => index > start && /^```\s*$/.test(item));
  // A fence without an end runs to the last line: a streamed answer may be incomplete.
  const body = lines.slice(start + 1, end === -1 ? undefined : end);
  const language = FENCE.exec(line)?.[1] ?? '';
  const length = body.length + (end === -1 ? 1 : 2);
  return [{ kind: 'fence', language, text: body.join('\n') }, length];
}

function readRun(kind: Exclude<LineKind, 'fence' | 'blank'>, run: readonly string[]): Block {
  if (kind === 'text') return { kind: 'paragraph', children: parseInline(run.join('\n')) };
  /** Returns the lines without their marks: the last group of the pattern. */
  const texts = (pattern: RegExp) => run.map((line) => pattern.exec(line)?.at(-1) ?? '');
  if (kind === 'quote') return { kind, children: parseInline(texts(QUOTE).join('\n')) };
  const items = texts(kind === 'bullet' ? BULLET : NUMBER).map((text) => parseInline(text));
  const start = kind === 'bullet' ? null : Number(NUMBER.exec(run[0] ?? '')?.[1] ?? 1);
  return { kind: 'list', start, items };
}

/** Parses fences, quotes, lists and paragraphs; HTML is plain text. */
export function parseMarkdown(content: string): readonly Block[] {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;
  while (at < lines.length) {
    const kind = kindOf(lines[at] ?? '');
    if (kind === 'blank') {
      at += 1;
    } else if (kind === 'fence') {
      const [block, length] = readFence(lines, at);
      blocks.push(block);
      at += length;
    } else {
      const start = at;
      do at += 1;
      while (at < lines.length && kindOf(lines[at] ?? '') === kind);
      blocks.push(readRun(kind, lines.slice(start, at)));
    }
  }
  return blocks;
}
