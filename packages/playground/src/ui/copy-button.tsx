import { useSignal } from '@preact/signals';
import { copyText } from './copy-text.js';
import { TextButton } from './controls.js';

export interface CopyButtonProps {
  readonly label: string;
  /** What is copied, for screen readers; empty if the label says it. */
  readonly name: string;
  readonly text: () => string;
}

/** Copies a text, and says so, or that it could not. */
export function CopyButton({ label, name, text }: CopyButtonProps) {
  const note = useSignal('');
  return (
    <TextButton
      onClick={() => {
        void copyText(text()).then((isCopied) => {
          note.value = isCopied ? 'Copied' : 'Cannot copy';
        });
      }}
    >
      {note.value || label}
      {name !== '' && <span class="visually-hidden"> {name}</span>}
    </TextButton>
  );
}
