/** `node copy-folder.mjs from to`: replaces `to` by a copy of `from`, both relative to here. */
import { cpSync, existsSync, rmSync } from 'node:fs';

const [from, to] = process.argv.slice(2);
if (!from || !to || !existsSync(from)) {
  console.error(`copy-folder: nothing to copy at ${from}; build that package first`);
  process.exit(1);
}
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
