import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { Composer } from '../app/composer.js';
import { IconButton } from './controls.js';

/** Opens the dialog for files, also on request of the slash menu. */
export function AttachButton({ composer }: { readonly composer: Composer }) {
  const input = useRef<HTMLInputElement>(null);
  const opened = useRef(composer.fileRequests.peek());
  useSignalEffect(() => {
    const count = composer.fileRequests.value;
    if (count === opened.current) return;
    opened.current = count;
    input.current?.click();
  });
  return (
    <>
      <IconButton
        icon="clip"
        label="Attach files"
        title="Attach files (or paste or drop them)"
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const field = event.currentTarget;
          if (field.files !== null) composer.attach([...field.files]);
          // The same file can then be chosen again.
          field.value = '';
        }}
      />
    </>
  );
}
