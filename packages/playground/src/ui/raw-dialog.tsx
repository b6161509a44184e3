import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { rawMessage } from '../state/raw-message.js';
import { store } from '../app/page.js';
import { copyText } from './copy-button.js';
import { Button, Icon, IconButton } from './controls.js';

interface RawViewProps {
  readonly title: string;
  readonly text: string;
  readonly onClose: () => void;
}

function RawView({ title, text, onClose }: RawViewProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const code = useRef<HTMLPreElement>(null);
  const note = useSignal('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const say = (spoken: string) => {
    note.value = spoken;
    store.spoken.value = spoken;
  };
  const copy = async () => {
    if (await copyText(text)) return say('Copied');
    if (code.current !== null) getSelection()?.selectAllChildren(code.current);
    say('Selected: press Ctrl+C to copy');
  };
  return (
    <dialog
      ref={dialog}
      class="raw-dialog"
      aria-labelledby="raw-title"
      onClose={onClose}
      onClick={(event) => {
        // The dialog element itself is only the backdrop: its child has all contents.
        if (event.target === event.currentTarget) dialog.current?.close();
      }}
    >
      <div class="raw-content">
        <div class="raw-head">
          <h2 id="raw-title">{title}</h2>
          <span class="raw-note">{note.value}</span>
          <Button onClick={() => void copy()}>
            <Icon name="copy" />
            Copy
          </Button>
          <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
        </div>
        <pre ref={code} tabIndex={0} role="region" aria-label="JSON">
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
  if (message === undefined) return null;
  return (
    <RawView
      key={message.id}
      title={`Message by ${message.authorDisplayName}, as the bot reads it`}
      text={JSON.stringify(rawMessage(message), null, 2)}
      onClose={() => {
        store.rawId.value = null;
        document.querySelector<HTMLElement>(`[data-message="${message.id}"]`)?.focus();
      }}
    />
  );
}
