import type { MessageAttachment } from '@virgule/core/protocol';
import { formatBytes } from '../state/format.js';
import { safeLink } from '../markdown/safe-link.js';
import { Icon } from './icon.js';
import { useTabIndex } from './tab-stop.js';

function urlOf(attachment: MessageAttachment): string | null {
  const url = attachment.url ?? '';
  // A path is on this origin; two slashes would be another host.
  return /^\/(?![/\\])/.test(url) ? url : safeLink(url);
}

function Attachment({ attachment }: { readonly attachment: MessageAttachment }) {
  const url = urlOf(attachment);
  const tabIndex = useTabIndex();
  return (
    <li class="attachment">
      <Icon name="file" />
      {url === null ? (
        <span class="attachment-name">{attachment.fileName}</span>
      ) : (
        <a
          class="attachment-name"
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          tabIndex={tabIndex}
        >
          {attachment.fileName}
        </a>
      )}
      <span class="attachment-size">{formatBytes(attachment.size)}</span>
    </li>
  );
}

export function AttachmentList({
  attachments,
}: {
  readonly attachments: readonly MessageAttachment[];
}) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map((attachment) => (
        <Attachment key={attachment.id} attachment={attachment} />
      ))}
    </ul>
  );
}
