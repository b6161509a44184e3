/**
 * `node copy-docs.mjs to`: replaces `to`, relative to the current folder, with the Markdown of the documentation that
 * users of the packages need: coding agents read it offline, in the version that is installed.
 */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const docs = join(import.meta.dirname, '../../docs');
/** For those who change Virgule itself, or for the site. */
const LEFT_OUT = new Set(['architecture.md', 'decisions', 'node_modules', 'public']);

const [to] = process.argv.slice(2);
if (!to) throw new Error('copy-docs: name the folder to write');
rmSync(to, { recursive: true, force: true });
for (const entry of readdirSync(docs, { withFileTypes: true })) {
  const { name } = entry;
  if (name.startsWith('.') || LEFT_OUT.has(name)) continue;
  if (!entry.isDirectory() && !name.endsWith('.md')) continue;
  cpSync(join(docs, name), join(to, name), {
    recursive: true,
    // The page of the API is filled when the site is built; here, the types are next to it.
    filter: (path) =>
      (!basename(path).includes('.') || path.endsWith('.md')) && basename(path) !== 'api.md',
  });
}
