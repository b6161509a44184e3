import type { Inline } from './parse-inline.js';
import { mentionName, type Names } from '../state/mention-name.js';
import { parseMarkdown, type Block } from './parse-markdown.js';

function inlineText(nodes: readonly Inline[], names: Names): string {
  const texts = nodes.map((node) => {
    if (node.kind === 'break') return ' ';
    if (node.kind === 'mention') return mentionName(names, node.of, node.id);
    return 'children' in node ? inlineText(node.children, names) : node.text;
  });
  return texts.join('');
}

function blockText(block: Block, names: Names): string {
  if (block.kind === 'fence') return block.text.replaceAll('\n', ' ');
  if (block.kind !== 'list') return inlineText(block.children, names);
  return block.items.map((item) => inlineText(item, names)).join(', ');
}

/** Returns a message on one line without Markdown marks, for previews and screen readers. */
export function plainText(content: string, names: Names): string {
  return parseMarkdown(content)
    .map((block) => blockText(block, names))
    .join(' ');
}
