/**
 * `node bundle.mjs [entry...]`, in the folder of a package: writes its code to `dist/`, next to the declarations of
 * `tsc`: one file for each entry, and one for the modules that the same entries share. Node.js spends about half a
 * millisecond on each file that it imports, of which a bot needed 400. Entries are `src/*.ts`, `src/bin/*.ts`, and
 * the given ones.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

for (const name of existsSync('dist') ? readdirSync('dist', { recursive: true }) : []) {
  const [, declared] = /^(.*)\.d\.ts(?:\.map)?$/.exec(name) ?? [];
  const hasSource = existsSync(`src/${declared}.ts`) || existsSync(`src/${declared}.tsx`);
  // `tsc` keeps the declarations of a source that was deleted.
  const isStale = declared && !hasSource && existsSync(join('dist', `${declared}.d.ts.map`));
  if (isStale || /\.js(?:\.map)?$/.test(name)) rmSync(join('dist', name));
}

const entriesIn = (folder) =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.ts') && !/\.test(?:-d)?\.ts$/.test(name))
    .map((name) => join(folder, name));

await build({
  entryPoints: [...entriesIn('src'), ...entriesIn('src/bin'), ...process.argv.slice(2)],
  outdir: 'dist',
  outbase: 'src',
  bundle: true,
  splitting: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: true,
  // The sources are published.
  sourcesContent: false,
  logLevel: 'warning',
});
