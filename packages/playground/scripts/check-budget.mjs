// Fails if the built page exceeds its budget. All sizes are gzipped bytes.
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const KB = 1024;
const LIMITS = { '.js': 64_000, '.css': 8 * KB, '.html': 6 * KB };

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

const sizes = Object.keys(LIMITS).map((extension) => {
  const matching = files.filter((file) => extname(file) === extension);
  const bytes = matching.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  return { extension, bytes, limit: LIMITS[extension], count: matching.length };
});

let isOver = false;
for (const { extension, bytes, limit, count } of sizes) {
  const isBad = bytes > limit || count === 0;
  isOver ||= isBad;
  const kb = (value) => `${(value / KB).toFixed(1)} KB`;
  console.log(`${isBad ? '✗' : '✓'} ${extension.padEnd(5)} ${kb(bytes)} gzipped of ${kb(limit)}`);
}
if (isOver) {
  console.error('The page exceeds its budget, or dist is incomplete. Run the build first.');
  process.exitCode = 1;
}
