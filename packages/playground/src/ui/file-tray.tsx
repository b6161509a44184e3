import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Composer } from '../app/composer.js';
import type { ComposerFile } from '../app/composer-files.js';
import { store } from '../app/page.js';
import { formatBytes } from '../state/format.js';
import { nameFiles } from '../state/name-files.js';
import { Icon, IconButton } from './controls.js';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Returns the dropped files. A folder has no bytes to upload. */
function droppedFiles(data: DataTransfer): { files: File[]; hasFolder: boolean } {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const files = items.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true);
  return {
    files: files.flatMap((item) => item.getAsFile() ?? []),
    hasFolder: files.length < items.length,
  };
}

/** Attaches files that are dropped anywhere on the page; otherwise the browser would open the files. */
export function FileDrop({ composer }: { readonly composer: Composer }) {
  const isOver = useSignal(false);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      isOver.value = true;
    };
    const onLeave = ({ relatedTarget }: DragEvent) => {
      // Hides the drop zone only when the pointer leaves the window, not when it passes from one element to another.
      if (relatedTarget === null) isOver.value = false;
    };
    const onDrop = (event: DragEvent) => {
      isOver.value = false;
      if (!hasFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      const { files, hasFolder } = droppedFiles(event.dataTransfer);
      if (files.length > 0) composer.attach(files);
      if (hasFolder) composer.files.refusal.value = 'A folder cannot be attached. Drop its files.';
    };
    window.addEventListener('dragenter', onOver, options);
    window.addEventListener('dragover', onOver, options);
    window.addEventListener('dragleave', onLeave, options);
    window.addEventListener('drop', onDrop, options);
    return () => stop.abort();
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
