import type { SimMessage } from '@virgule/core/simulator-api';
import { formatClock } from '../state/format.js';
import { timeOf } from '../state/message-time.js';
import { AttachmentList } from './attachment-list.js';
import { Icon } from './icon.js';
import { MarkdownView } from './markdown-view.js';
import { RawCard } from './raw-card.js';
import { ReactionBar } from './reaction-bar.js';

/** Shows a message without its heading. */
export function MessageBody({ message }: { readonly message: SimMessage }) {
  if (message.isDeleted) return <p class="tombstone">Message deleted</p>;
  const { editedAt } = message;
  return (
    <>
      <div class="content">
        <MarkdownView content={message.content} />
        {editedAt !== null && (
          <span class="edited" title={`Edited at ${formatClock(timeOf(editedAt))} (${editedAt})`}>
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
