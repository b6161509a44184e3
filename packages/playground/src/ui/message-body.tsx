import type { SimMessage } from '@virgule/core/simulator-api';
import { formatClock } from '../state/format.js';
import { AttachmentList } from './attachment-list.js';
import { Icon } from './controls.js';
import { MarkdownView } from './markdown-view.js';
import { ReactionBar } from './reaction-bar.js';
import { CodeBlock } from './code-block.js';
import { useTabIndex } from './tab-stop.js';

interface RawCardProps {
  readonly title: string;
  readonly value: Readonly<Record<string, unknown>> | null;
}

/** Shows an object whose fields the Bot Interface does not specify, as JSON. */
function RawCard({ title, value }: RawCardProps) {
  const tabIndex = useTabIndex();
  if (value === null) return null;
  return (
    <details class="raw-card">
      <summary tabIndex={tabIndex}>{title}</summary>
      <CodeBlock name={title} text={JSON.stringify(value, null, 2)} />
    </details>
  );
}

export function MessageBody({ message }: { readonly message: SimMessage }) {
  if (message.isDeleted) return <p class="tombstone">Message deleted</p>;
  const { editedAt } = message;
  return (
    <>
      <div class="content">
        <MarkdownView content={message.content} />
        {editedAt !== null && (
          <span
            class="edited"
            title={`Edited at ${formatClock(Date.parse(editedAt))} (${editedAt})`}
          >
            (edited)
          </span>
        )}
        {message.pinnedAt !== null && (
          <span class="edited">
            <Icon name="pin" />
            pinned
          </span>
        )}
      </div>
      <AttachmentList attachments={message.attachments} />
      <RawCard title="Forwarded" value={message.forwardedFrom} />
      <RawCard title="Poll" value={message.poll} />
      <RawCard title="Link preview" value={message.linkPreview} />
      <ReactionBar message={message} />
    </>
  );
}
