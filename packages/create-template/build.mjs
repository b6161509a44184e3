// Makes what is published: one file without imports of packages, and the templates beside it.
// node build.mjs [folder] [templates]   (default: dist, the templates of this repository)
import { cp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const out = resolve(here, process.argv[2] ?? 'dist');
const templates = resolve(here, process.argv[3] ?? '../../templates');
const { version } = JSON.parse(await readFile(join(here, 'package.json'), 'utf8'));

/** What a template's folder holds on a developer's machine and no bot starts with. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.virgule', '.turbo']);
/** `src/create/templates.ts` has the same rule. */
const isLeftOut = (name) =>
  LEFT_OUT.has(name) || (name.startsWith('.env') && name !== '.env.example');

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
    filter: (path) => !isLeftOut(basename(path)),
  });
  // Inside this repository a template uses the packages beside it; a bot gets the published ones.
  const packageFile = join(copy, 'package.json');
  const text = await readFile(packageFile, 'utf8');
  await writeFile(packageFile, text.replaceAll('"workspace:*"', `"^${version}"`));
}
