import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileInput, NamedFile } from '@virgule/client/rest';
import type { TestFile } from './test-bot.js';

/** Returns the names and sizes of files that are not sent. */
export const sizedFiles = (files: readonly FileInput[]): Promise<readonly TestFile[]> =>
  Promise.all(
    files.map(async (file, index) => {
      const { name, data, path } = named(file, index);
      const content = path === undefined ? data : await readFile(path);
      const { size } = await new Response(
        content as ConstructorParameters<typeof Response>[0],
      ).blob();
      return { name, size };
    }),
  );

function named(file: FileInput, index: number): NamedFile {
  if (typeof file === 'string') return { name: basename(file), path: file };
  if ('data' in file || 'path' in file) return file;
  return { name: ('name' in file && file.name) || `file-${index + 1}`, data: file };
}
