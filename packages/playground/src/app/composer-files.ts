import { computed, signal } from '@preact/signals';
import type { Profile } from '@virgule/core/protocol';
import type { SimUpload } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import { formatBytes } from '../state/format.js';
import { nameFiles } from '../state/name-files.js';
import { asRequestError } from './actions.js';

/** Returns a file name; if `names` includes the name, with a number before its extension: `image-2.png`. */
export function uniqueFileName(name: string, names: readonly string[]): string {
  if (!names.includes(name)) return name;
  const dot = name.lastIndexOf('.');
  const end = dot > 0 ? dot : name.length;
  for (let number = 2; ; number += 1) {
    const tried = `${name.slice(0, end)}-${number}${name.slice(end)}`;
    if (!names.includes(tried)) return tried;
  }
}

/** A file that is sent with the next message, or as the value of an option. */
export interface ComposerFile {
  readonly id: number;
  /** Differs from the names of the other files, because a line refers to the file by its name. */
  readonly name: string;
  readonly source: Blob;
  /** The uploaded file; null while it is uploaded, and after a failure. */
  readonly upload: SimUpload | null;
  /** Reason why the upload failed; null without a failure. */
  readonly problem: string | null;
}

interface ComposerFilesOptions {
  readonly upload: (source: Blob, name: string) => Promise<SimUpload>;
  readonly limits: () => Pick<Profile, 'attachmentsMax' | 'uploadMaxBytes'> | null;
  readonly now: () => number;
}

export function createComposerFiles({ upload, limits, now }: ComposerFilesOptions) {
  const list = signal<readonly ComposerFile[]>([]);
  /** Reason why files were not added the last time; null if all were added. */
  const refusal = signal<string | null>(null);
  let lastId = 0;

  const change = (id: number, values: Partial<ComposerFile>) => {
    list.value = list.peek().map((file) => (file.id === id ? { ...file, ...values } : file));
  };
  const start = ({ id, source, name }: Pick<ComposerFile, 'id' | 'source' | 'name'>) => {
    change(id, { upload: null, problem: null });
    upload(source, name).then(
      (uploaded) => change(id, { upload: uploaded }),
      (error: unknown) => change(id, { problem: asRequestError(error).message }),
    );
  };

  return {
    list,
    refusal,
    /** `true` if every file is uploaded. */
    areReady: computed(() => list.value.every((file) => file.upload !== null)),
    /** Adds files and starts to upload them. Returns the added files. */
    add(sources: readonly File[]) {
      const { attachmentsMax = Infinity, uploadMaxBytes = Infinity } = limits() ?? {};
      const fitting = sources
        .filter(({ size }) => size <= uploadMaxBytes)
        .slice(0, Math.max(0, attachmentsMax - list.peek().length));
      const others = sources.filter((source) => !fitting.includes(source));
      const limit = `${countOf(attachmentsMax, 'file')} of at most ${formatBytes(uploadMaxBytes)}`;
      refusal.value =
        others.length === 0
          ? null
          : `Not added: ${nameFiles(others.map(({ name }) => name))}. A message can have ${limit}.`;
      const added = fitting.map((source): ComposerFile => {
        lastId += 1;
        const names = list.peek().map((file) => file.name);
        const name = uniqueFileName(source.name || 'file', names);
        const file = { id: lastId, name, source, upload: null, problem: null };
        list.value = [...list.peek(), file];
        return file;
      });
      for (const file of added) start(file);
      return added;
    },
    refuse(reason: string) {
      refusal.value = reason;
    },
    remove(id: number) {
      list.value = list.peek().filter((file) => file.id !== id);
      refusal.value = null;
    },
    retry(id: number) {
      const file = list.peek().find((item) => item.id === id);
      if (file !== undefined) start(file);
    },
    /** Uploads files again that have expired. */
    renew() {
      for (const { upload: uploaded, ...file } of list.peek())
        if (uploaded && Date.parse(uploaded.expiresAt) <= now()) start(file);
    },
    /**
     * Removes all files. Returns a function that resolves with their keys for a message. The function uploads the files
     * again if it is called again: the simulator may have been restarted.
     */
    take(): () => Promise<readonly string[]> {
      const files = list.peek();
      list.value = [];
      refusal.value = null;
      let isUsed = false;
      return async () => {
        const isRetry = isUsed;
        isUsed = true;
        const uploads = files.map(async ({ source, name, upload: uploaded }) =>
          isRetry || uploaded === null ? upload(source, name) : uploaded,
        );
        return (await Promise.all(uploads)).map(({ objectKey }) => objectKey);
      };
    },
  };
}

/** Returns the bytes of a file in base64. */
export async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  // A call takes a limited number of arguments.
  for (let from = 0; from < bytes.length; from += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(binary);
}
