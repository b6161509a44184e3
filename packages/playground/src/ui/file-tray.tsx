import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Composer } from '../app/composer.js';
import type { ComposerFile } from '../app/composer-files.js';
import { store } from '../app/page.js';
import { formatBytes } from '../state/format.js';
import { nameFiles } from '../state/name-files.js';
import { Icon, IconButton } from './controls.js';

/** Attaches files that are dropped anywhere on the page; otherwise the browser would open the files. */
export function FileDrop({ composer }: { readonly composer: Composer }) {
  const isOver = useSignal(false);
  useLayoutEffect(() => {
    const onDrag = (event: DragEvent) => {
      const { type, dataTransfer: data, relatedTarget } = event;
      if (!data?.types.includes('Files')) return;
      // The pointer passes from one element to another, or leaves the window.
      if (type === 'dragleave' && relatedTarget !== null) return;
      event.preventDefault();
      isOver.value = type === 'dragover';
      if (type === 'dragover') data.dropEffect = 'copy';
      if (type !== 'drop') return;
      const items = [...data.items].filter(({ kind }) => kind === 'file');
      // A folder has no bytes to upload.
      const kept = items.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true);
      const files = kept.flatMap((item) => item.getAsFile() ?? []);
      if (files.length > 0) composer.attach(files);
      if (kept.length < items.length)
        composer.files.refusal.value = 'A folder cannot be attached. Drop its files.';
    };
    const types = ['dragover', 'dragleave', 'drop'] as const;
    for (const type of types) window.addEventListener(type, onDrag);
    return () => types.forEach((type) => window.removeEventListener(type, onDrag));
  }, [composer]);
  if (!isOver.value) return null;
  return (
    <p class="drop-zone">
      <span class="section">Drop files to attach them in #{store.place.value.channel?.name}</span>
    </p>
  );
}

/** Opens the dialog for files. */
export function AttachButton({ composer }: { readonly composer: Composer }) {
  return (
    <>
      <IconButton
        icon="clip"
        label="Attach files"
        title="Attach files (or paste or drop them)"
        onClick={() => document.getElementById('files')?.click()}
      />
      <input
        id="files"
        type="file"
        multiple
        hidden
        onChange={(event) => {
          const field = event.currentTarget;
          if (field.files !== null) composer.attach([...field.files]);
          // Allows the same file to be chosen again.
          field.value = '';
        }}
      />
    </>
  );
}

interface TrayFileProps {
  readonly composer: Composer;
  readonly file: ComposerFile;
}

function TrayFile({ composer, file }: TrayFileProps) {
  const { name, source } = file;
  return (
    <li class="attachment">
      <Icon name="file" />
      <span class="attachment-name" title={name}>
        <bdi>{name}</bdi>
      </span>
      <span class="attachment-size">{formatBytes(source.size)}</span>
      <IconButton
        icon="close"
        label={`Remove ${name}`}
        title="Remove"
        onClick={() => {
          composer.files.remove([file]);
          document.getElementById('composer')?.focus();
        }}
      />
    </li>
  );
}

/** Shows the files that are sent with the text, and the reason why other files are not. */
export function FileTray({ composer }: { readonly composer: Composer }) {
  const files = composer.files.list.value;
  const refusal = composer.files.refusal.value;
  const unused = composer.unusedFiles.value.map(({ name }) => name);
  if (files.length === 0 && refusal === null) return null;
  return (
    <div class="tray">
      {files.length > 0 && (
        <ul class="attachments" aria-label="Files to send">
          {files.map((file) => (
            <TrayFile key={file.name} composer={composer} file={file} />
          ))}
        </ul>
      )}
      {unused.length > 0 && (
        <p class="tray-note">
          Not sent with this command: {nameFiles(unused)}. A command takes a file as the value of an
          option.
        </p>
      )}
      {refusal !== null && (
        <p class="tray-note failed">
          <Icon name="alert" />
          {refusal}
        </p>
      )}
    </div>
  );
}
