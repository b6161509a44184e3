import { useSignal } from '@preact/signals';
import type { ButtonHTMLAttributes } from 'preact';
import { Icon, TextButton } from './controls.js';

interface CopyButtonProps extends Pick<ButtonHTMLAttributes, 'aria-keyshortcuts'> {
  readonly icon?: string;
  readonly label: string;
  /** Name of the copied text, for screen readers; empty if the label is sufficient. */
  readonly name: string;
  readonly text: () => string;
}

/** Shows a button that copies a text, and then shows the result. */
export function CopyButton({ icon, label, name, text, ...props }: CopyButtonProps) {
  const note = useSignal('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      note.value = 'Copied';
    } catch {
      note.value = 'Cannot copy';
    }
  };
  return (
    <TextButton {...props} onClick={() => void copy()}>
      {icon && <Icon name={icon} />}
      {note.value || label}
      {name !== '' && <span class="visually-hidden"> {name}</span>}
    </TextButton>
  );
}
