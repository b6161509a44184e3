import { useSignal } from '@preact/signals';

export interface CopyButtonProps {
  readonly label: string;
  /** What is copied, for screen readers; empty if the label says it. */
  readonly name: string;
  readonly text: () => string;
}

/** Copies a text, and says so. */
export function CopyButton({ label, name, text }: CopyButtonProps) {
  const isCopied = useSignal(false);
  return (
    <button
      type="button"
      class="text-button"
      onClick={() => {
        void navigator.clipboard.writeText(text()).then(() => {
          isCopied.value = true;
        });
      }}
    >
      {isCopied.value ? 'Copied' : label}
      {name !== '' && <span class="visually-hidden"> {name}</span>}
    </button>
  );
}
