/**
 * `node bundle.mjs [entry...]`, in the folder of a package: writes its code to `dist/`, next to the declarations of
 * `tsc`: one file for each entry, and one for the modules that the same entries share. Node.js spends about half a
 * millisecond on each file that it imports, of which a bot needed 400. Entries are the files in `exports` of the
 * package, `src/bin/*.ts`, and the given ones.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { build } from 'esbuild';

rmSync('dist/.cache', { recursive: true, force: true });
for (const name of existsSync('dist') ? readdirSync('dist', { recursive: true }) : []) {
  const [, declared] = /^(.*)\.d\.ts(?:\.map)?$/.exec(name) ?? [];
  const hasSource = existsSync(`src/${declared}.ts`) || existsSync(`src/${declared}.tsx`);
  // `tsc` keeps the declarations of a source that was deleted.
  const isStale = declared && !hasSource && existsSync(join('dist', `${declared}.d.ts.map`));
  if (isStale || /\.js(?:\.map)?$/.test(name)) rmSync(join('dist', name));
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
/** Sources by their file in `dist/`, without its extension. A file with several sources exports the names of all. */
const sources = {};
for (const { 'virgule-source': source, default: file } of Object.values(exports))
  if (source) (sources[/^\.\/dist\/(.+)\.js$/.exec(file)[1]] ??= []).push(source);
const programs = (existsSync('src/bin') ? readdirSync('src/bin') : [])
  .filter((name) => name.endsWith('.ts') && !/\.test(?:-d)?\.ts$/.test(name))
  .map((name) => join('src/bin', name));

const PREFIX = 'joined:';
const joined = {
  name: 'joined sources',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${PREFIX}`) }, ({ path }) => ({ path, namespace: 'joined' }));
    onLoad({ filter: /./, namespace: 'joined' }, ({ path }) => ({
      contents: sources[path.slice(PREFIX.length)]
        .map((file) => `export * from '${file}';`)
        .join('\n'),
      resolveDir: process.cwd(),
      loader: 'ts',
    }));
  },
};

await build({
  entryPoints: [
    ...Object.entries(sources).map(([out, files]) => ({
      in: files.length > 1 ? PREFIX + out : files[0],
      out,
    })),
    ...[...programs, ...process.argv.slice(2)].map((file) => ({
      in: file,
      out: file.slice('src/'.length, -'.ts'.length),
    })),
  ],
  outdir: 'dist',
  plugins: [joined],
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

if (existsSync('src/bin/cli.ts')) await bundleCli();

/**
 * Writes `src/bin/cli.ts` with all our packages as one script, the only form of code that V8 can cache in Node.js 20: a function,
 * whose parameters are described in `cached-cli.ts`.
 */
async function bundleCli() {
  const { init, parse } = createRequire(join(process.cwd(), 'package.json'))('es-module-lexer');
  const packages = {
    name: 'packages',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, namespace, kind }) => {
        if (kind === 'entry-point' || /^(?:@virgule\/|virgule$)/.test(path)) return undefined;
        const isRepeated = namespace === 'file' && path.startsWith('zod');
        return isRepeated ? { path, namespace: 'once' } : { path, external: true };
      });
      // esbuild copies the 300 exports of zod for each file that imports an external package.
      onLoad({ filter: /./, namespace: 'once' }, ({ path }) => ({
        contents: `export * from '${path}';`,
      }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: ['src/bin/cli.ts'],
    plugins: [packages],
    write: false,
    bundle: true,
    conditions: ['virgule-source'],
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'url' },
    minifyWhitespace: true,
    // Node.js prints the whole line of an exception.
    lineLimit: 160,
    logLevel: 'warning',
  });
  await init();
  let code = outputFiles[0].text;
  const dynamic = parse(code)[0].filter(({ type }) => type === 'dynamic');
  for (const { importStart: at } of dynamic.toReversed())
    code = `${code.slice(0, at)}importNative${code.slice(at + 'import'.length)}`;
  writeFileSync('dist/cli.cjs', `(function (require, module, importNative, url) {${code}\n})`);
}
