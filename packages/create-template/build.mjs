// Builds the published files: one file without imports of packages, and the templates next to it.
// node build.mjs [folder] [templates]   (default: dist, the templates of this repository)
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const out = resolve(here, process.argv[2] ?? 'dist');
const templates = resolve(here, process.argv[3] ?? '../../templates');
const { version } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));

/** Not part of a template: output of building and running it on the machine of a developer. */
const EXCLUDED = new Set(['node_modules', 'dist', '.virgule', '.turbo']);
/** `src/create/templates.ts` has the same rule. */
const isExcluded = (name) =>
  EXCLUDED.has(name) || (name.startsWith('.env') && name !== '.env.example');

await rm(out, { recursive: true, force: true });
await build({
  entryPoints: [join(here, 'src/bin/create-virgule.ts')],
  outfile: join(out, 'bin/create-virgule.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  conditions: ['virgule-source'],
  define: { CREATE_VIRGULE_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
});

for (const name of await readdir(templates)) {
  const copy = join(out, 'templates', name);
  await cp(join(templates, name), copy, {
    recursive: true,
    filter: (path) => !isExcluded(basename(path)),
  });
  // In this repository, a template uses the packages of the workspace; a bot uses the published ones.
  const packageFile = join(copy, 'package.json');
  const text = await readFile(packageFile, 'utf8');
  await writeFile(packageFile, text.replaceAll('"workspace:*"', `"^${version}"`));
}
