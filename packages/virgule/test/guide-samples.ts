import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const guide = fileURLToPath(new URL('../../../docs/guide', import.meta.url));

/**
 * The samples of a page of the guide that are whole files, by their path: those whose first line names
 * one, such as `// commands/find.ts`. A later sample of the same file takes its place.
 */
export function samplesOf(page: string): Record<string, string> {
  const text = readFileSync(join(guide, `${page}.md`), 'utf8');
  const samples = text.matchAll(/^```[jt]s\n\/\/ (\S+\.[cm]?[jt]s)(?: .*)?\n([^]*?)^```$/gm);
  return Object.fromEntries([...samples].map(([, file = '', code = '']) => [file, code]));
}
