import type { Block, Inline } from './nodes.js';
import { parseMarkdown } from './parse-markdown.js';

/** Returns the text of a mention, including its sign. */
export type MentionName = (of: 'user' | 'channel' | 'role', id: string) => string;

function inlineText(nodes: readonly Inline[], nameOf: MentionName): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'break':
          return ' ';
        case 'mention':
          return nameOf(node.of, node.id);
        case 'bold':
        case 'italic':
          return inlineText(node.children, nameOf);
        case 'text':
        case 'code':
        case 'link':
          return node.text;
      }
    })
    .join('');
}

function blockText(block: Block, nameOf: MentionName): string {
  switch (block.kind) {
    case 'fence':
      return block.text.replaceAll('\n', ' ');
    case 'list':
      return block.items.map((item) => inlineText(item, nameOf)).join(', ');
    case 'paragraph':
    case 'quote':
      return inlineText(block.children, nameOf);
  }
}

/** Returns a message on one line without Markdown marks, for previews and screen readers. */
export function plainText(content: string, nameOf: MentionName): string {
  return parseMarkdown(content)
    .map((block) => blockText(block, nameOf))
    .join(' ');
}
