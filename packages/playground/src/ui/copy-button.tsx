import { useSignal } from '@preact/signals';
import { TextButton } from './controls.js';

/**
 * Copies a text. Browsers offer a clipboard only on this machine and over HTTPS; the deprecated command is used
 * elsewhere.
 *
 * @returns whether the text was copied
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  let isCopied = false;
  const copy = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
    event.clipboardData?.setData('text/plain', text);
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener('copy', copy, { capture: true });
  try {
    // Deprecated, but the only way without a clipboard.
    return document.execCommand('copy') && isCopied;
  } finally {
    document.removeEventListener('copy', copy, { capture: true });
  }
}

export interface CopyButtonProps {
  readonly label: string;
  /** Name of the copied text, for screen readers; empty if the label is sufficient. */
  readonly name: string;
  readonly text: () => string;
}

/** Shows a button that copies a text, and then shows the result. */
export function CopyButton({ label, name, text }: CopyButtonProps) {
  const note = useSignal('');
  return (
    <TextButton
      onClick={() => {
        void copyText(text()).then(
          (isCopied) => (note.value = isCopied ? 'Copied' : 'Cannot copy'),
        );
      }}
    >
      {note.value || label}
      {name !== '' && <span class="visually-hidden"> {name}</span>}
    </TextButton>
  );
}
