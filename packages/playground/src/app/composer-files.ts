import { signal } from '@preact/signals';
import type { Profile } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import type { SimApi } from '../net/sim-api.js';
import { formatBytes } from '../state/format.js';
import { nameFiles } from '../state/name-files.js';

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
  /** Differs from the names of the other files, because a line refers to the file by its name. */
  readonly name: string;
  readonly source: Blob;
}

type Limits = Pick<Profile, 'attachmentsMax' | 'uploadMaxBytes'>;

export function createComposerFiles(limits: () => Limits | null) {
  const list = signal<readonly ComposerFile[]>([]);
  /** Reason why files were not added the last time; null if all were added. */
  const refusal = signal<string | null>(null);
  return {
    list,
    refusal,
    /** Adds files that are within the limits. Returns the added files. */
    add(sources: readonly File[]) {
      const { attachmentsMax = Infinity, uploadMaxBytes = Infinity } = limits() ?? {};
      const known = list.peek();
      const fitting = sources
        .filter(({ size }) => size <= uploadMaxBytes)
        .slice(0, Math.max(0, attachmentsMax - known.length));
      const others = sources.filter((source) => !fitting.includes(source));
      const limit = `${countOf(attachmentsMax, 'file')} of at most ${formatBytes(uploadMaxBytes)}`;
      refusal.value =
        others.length === 0
          ? null
          : `Not added: ${nameFiles(others.map(({ name }) => name))}. A message can have ${limit}.`;
      for (const source of fitting) {
        const names = list.peek().map(({ name }) => name);
        const name = uniqueFileName(source.name || 'file', names);
        list.value = [...list.peek(), { name, source }];
      }
      return list.peek().slice(known.length);
    },
    remove(files: readonly ComposerFile[]) {
      list.value = list.peek().filter((file) => !files.includes(file));
      refusal.value = null;
    },
  };
}

/**
 * Uploads a file. Resolves with its key for a message, and its URL for an option.
 *
 * @param where - the channel and the user; by default, those of the simulator.
 */
export const upload = async (
  api: Pick<SimApi, 'ask'>,
  { name, source }: ComposerFile,
  where: object = {},
) => {
  const [base64, contentType] = [await toBase64(source), source.type || undefined];
  return { ...(await api.ask('attach', { name, base64, contentType, ...where })), name };
};

/** Returns the bytes of a file in base64. */
async function toBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  // A call takes a limited number of arguments.
  for (let from = 0; from < bytes.length; from += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(binary);
}
