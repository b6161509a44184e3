/** `node copy-folder.mjs from to`: replaces `to` with a copy of `from`, relative to the current folder. */
import { cpSync, existsSync, rmSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
if (!from || !to || !existsSync(from)) {
  console.error(`copy-folder: ${from} does not exist; build its package first`);
  process.exit(1);
}
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
