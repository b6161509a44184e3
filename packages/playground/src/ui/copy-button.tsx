import { useSignal } from '@preact/signals';
import { TextButton } from './controls.js';

/**
 * Copies a text. Browsers have a clipboard only on this machine and over HTTPS; elsewhere, the older way is used.
 *
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
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
    // Deprecated, but there is nothing else without a clipboard.
    return document.execCommand('copy') && isCopied;
  } finally {
    document.removeEventListener('copy', copy, { capture: true });
  }
}

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
