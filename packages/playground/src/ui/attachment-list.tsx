import { useSignal } from '@preact/signals';
import type { Message, MessageAttachment } from '@virgule/core/protocol';
import { safeLink } from '../markdown/safe-link.js';
import { formatBytes } from '../state/format.js';
import { isPicture } from '../state/is-picture.js';
import { Icon } from './controls.js';

/** Shows a picture as an image; shows other files by name and size, with a link that downloads the file. */
function Attachment({ attachment }: { readonly attachment: MessageAttachment }) {
  const { fileName, size, url: given = '' } = attachment;
  // A path is on this origin; two slashes would name another host.
  const url = /^\/(?![/\\])/.test(given) ? given : safeLink(given);
  const isBroken = useSignal(false);
  const file = (
    <>
      <Icon name="file" />
      <span class="attachment-name">{fileName}</span>
      <span class="attachment-size">{formatBytes(size)}</span>
    </>
  );
  if (url === null) return <li class="attachment">{file}</li>;
  const isShown = !isBroken.value && isPicture(attachment, url);
  const onError = () => (isBroken.value = true);
  return (
    <li>
      <a
        class={isShown ? 'picture' : 'attachment'}
        href={url}
        download={fileName}
        target="_blank"
        rel="noopener noreferrer"
        title={`Download ${fileName}, ${formatBytes(size)}`}
      >
        {isShown ? (
          <img src={url} alt={fileName} loading="lazy" decoding="async" onError={onError} />
        ) : (
          <>
            {file}
            <Icon name="download" />
          </>
        )}
      </a>
    </li>
  );
}

export function AttachmentList({ attachments }: Pick<Message, 'attachments'>) {
  if (attachments.length === 0) return null;
  return (
    <ul class="attachments" aria-label="Attachments">
      {attachments.map((attachment) => (
        <Attachment key={attachment.id} attachment={attachment} />
      ))}
    </ul>
  );
}
