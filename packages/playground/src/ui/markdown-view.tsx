import { useMemo } from 'preact/hooks';
import type { Inline } from '../markdown/parse-inline.js';
import { parseMarkdown, type Block } from '../markdown/parse-markdown.js';
import { mentionName } from '../state/mention-name.js';
import { navigation, store } from '../app/page.js';
import { CodeBlock } from './code-block.js';

function Mention({ of, id }: { readonly of: 'user' | 'channel' | 'role'; readonly id: string }) {
  const name = mentionName(store.names.value, of, id);
  const channel = store.world.value.channels.find((item) => of === 'channel' && item.id === id);
  if (channel === undefined) {
    const isOwn = of === 'user' && id === store.place.value.user?.id;
    return <span class={isOwn ? 'mention mention-own' : 'mention'}>{name}</span>;
  }
  return (
    <button
      type="button"
      class="mention mention-link"
      onClick={() => navigation.openChannel(channel.serverId, channel.id)}
    >
      {name}
    </button>
  );
}

function InlineNode({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case 'text':
      return <>{node.text}</>;
    case 'break':
      return <br />;
    case 'code':
      return <code>{node.text}</code>;
    case 'bold':
      return <strong>{inline(node.children)}</strong>;
    case 'italic':
      return <em>{inline(node.children)}</em>;
    case 'link':
      return (
        <a href={node.href} title={node.href} target="_blank" rel="noopener noreferrer nofollow">
          {node.text}
        </a>
      );
    case 'mention':
      return <Mention of={node.of} id={node.id} />;
  }
}

const inline = (nodes: readonly Inline[]) =>
  nodes.map((node, index) => <InlineNode key={index} node={node} />);

function BlockNode({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'paragraph':
      return <p dir="auto">{inline(block.children)}</p>;
    case 'quote':
      return <blockquote dir="auto">{inline(block.children)}</blockquote>;
    case 'fence':
      return <CodeBlock name={`Code ${block.language}`.trim()} text={block.text} isCode />;
    case 'list': {
      const items = block.items.map((item, index) => <li key={index}>{inline(item)}</li>);
      return block.start === null ? (
        <ul dir="auto">{items}</ul>
      ) : (
        <ol dir="auto" start={block.start}>
          {items}
        </ol>
      );
    }
  }
}

/** Shows the content of a message as text nodes and known elements, never as HTML. */
export function MarkdownView({ content }: { readonly content: string }) {
  const blocks = useMemo(() => parseMarkdown(content), [content]);
  return (
    <>
      {blocks.map((block, index) => (
        <BlockNode key={index} block={block} />
      ))}
    </>
  );
}
