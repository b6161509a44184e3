import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Composer } from '../app/composer.js';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Returns the files that were dropped. A folder has no bytes to upload. */
function droppedFiles(data: DataTransfer): { files: File[]; hasFolder: boolean } {
  const items = [...data.items].filter(({ kind }) => kind === 'file');
  const files = items.filter((item) => item.webkitGetAsEntry()?.isDirectory !== true);
  return {
    files: files.flatMap((item) => item.getAsFile() ?? []),
    hasFolder: files.length < items.length,
  };
}

interface FileDropProps {
  readonly composer: Composer;
  readonly channelName: string;
}

/** Attaches files that are dropped anywhere on the page, where the browser would open them instead. */
export function FileDrop({ composer, channelName }: FileDropProps) {
  const isOver = useSignal(false);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
      isOver.value = true;
    };
    window.addEventListener('dragenter', onOver, { signal });
    window.addEventListener('dragover', onOver, { signal });
    window.addEventListener(
      'dragleave',
      (event) => {
        // Only when it leaves the window, not when it passes from one element to another.
        if (event.relatedTarget === null) isOver.value = false;
      },
      { signal },
    );
    window.addEventListener(
      'drop',
      (event) => {
        isOver.value = false;
        if (!hasFiles(event) || event.dataTransfer === null) return;
        event.preventDefault();
        const { files, hasFolder } = droppedFiles(event.dataTransfer);
        if (files.length > 0) composer.attach(files);
        if (hasFolder) composer.files.refuse('A folder cannot be attached. Drop its files.');
      },
      { signal },
    );
    return () => stop.abort();
  }, [composer]);
  if (!isOver.value) return null;
  return (
    <p class="drop-zone">
      <span>Drop files to attach them in #{channelName}</span>
    </p>
  );
}
