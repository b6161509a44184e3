import type { Inline } from './parse-inline.js';
import { parseMarkdown, type Block } from './parse-markdown.js';

/** Returns the text of a mention, including its sign. */
export type MentionName = (of: 'user' | 'channel' | 'role', id: string) => string;

function inlineText(nodes: readonly Inline[], nameOf: MentionName): string {
  const texts = nodes.map((node) => {
    if (node.kind === 'break') return ' ';
    if (node.kind === 'mention') return nameOf(node.of, node.id);
    return 'children' in node ? inlineText(node.children, nameOf) : node.text;
  });
  return texts.join('');
}

function blockText(block: Block, nameOf: MentionName): string {
  if (block.kind === 'fence') return block.text.replaceAll('\n', ' ');
  if (block.kind !== 'list') return inlineText(block.children, nameOf);
  return block.items.map((item) => inlineText(item, nameOf)).join(', ');
}

/** Returns a message on one line without Markdown marks, for previews and screen readers. */
export function plainText(content: string, nameOf: MentionName): string {
  return parseMarkdown(content)
    .map((block) => blockText(block, nameOf))
    .join(' ');
}
