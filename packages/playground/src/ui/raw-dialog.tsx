import type { SimMessage } from '@virgule/core/simulator-api';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { rawMessage } from '../state/raw-message.js';
import { store } from '../app/page.js';
import { CopyButton } from './copy-button.js';
import { IconButton } from './controls.js';

function RawMessage({ message }: { readonly message: SimMessage }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = JSON.stringify(rawMessage(message), null, 2);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="raw-dialog"
      aria-labelledby="raw-title"
      onClose={() => {
        store.rawId.value = null;
        document.querySelector<HTMLElement>(`[data-message="${message.id}"]`)?.focus();
      }}
      onClick={(event) => {
        // The dialog element itself is only the backdrop: its child has all contents.
        if (event.target === event.currentTarget) dialog.current?.close();
      }}
    >
      <div class="raw-content">
        <div class="raw-head">
          <h2 id="raw-title">Message by {message.authorDisplayName}, as the bot reads it</h2>
          <CopyButton label="Copy" name="" text={() => text} />
          <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
        </div>
        <pre tabIndex={0} role="region" aria-label="JSON">
          <code>{text}</code>
        </pre>
      </div>
    </dialog>
  );
}

/** Shows a message as JSON in the form for the bot, and follows its changes. */
export function RawDialog() {
  const rawId = store.rawId.value;
  const message = store.openLog.value.messages.find(({ id }) => id === rawId);
  return message === undefined ? null : <RawMessage key={message.id} message={message} />;
}
