import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createInstalledPackages } from './installed-package.js';
import { createUnbundledPackages } from './unbundled-packages.js';

/** Bundles a file that imports a package; returns the packages that were left out, and the bundle. */
async function bundle(files: Readonly<Record<string, string>>, code = `import 'it';`) {
  const project = await createTestProject({ 'entry.js': code, ...files });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const found = new Map<string, Set<string>>();
  let resolved = 0;
  const { outputFiles } = await build({
    entryPoints: [join(project.root, 'entry.js')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
    logLevel: 'silent',
    plugins: [
      createUnbundledPackages(project.root, createInstalledPackages(), []).leaveOut(found),
      {
        // Sees what the plugin before it asks the bundler.
        name: 'count',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^it$/ }, ({ pluginData }) => void (resolved += pluginData ? 1 : 0)),
      },
    ],
  });
  return { found: [...found.keys()], text: outputFiles[0]?.text ?? '', resolved };
}

const IT = 'node_modules/it';
const MAIN = { [`${IT}/index.js`]: `console.log('bundled');` };

describe('the packages that are left out', () => {
  it('bundles a package without native code', async () => {
    const { found, text } = await bundle({ ...MAIN, [`${IT}/package.json`]: '{ "name": "it" }' });
    expect(found).toEqual([]);
    expect(text).toContain('bundled');
  });

  it.each([
    ['gypfile', '{ "name": "it", "gypfile": true }', {}],
    ['binary', '{ "name": "it", "binary": { "module_name": "it" } }', {}],
    ['napi', '{ "name": "it", "napi": {} }', {}],
    ['a loader of addons', '{ "name": "it", "dependencies": { "bindings": "1" } }', {}],
    ['platform packages', '{ "name": "it", "optionalDependencies": { "@it/linux-x64": "1" } }', {}],
    ['binding.gyp', '{ "name": "it" }', { [`${IT}/binding.gyp`]: '{}' }],
  ])('leaves a package with %s out', async (_, manifest, more) => {
    const { found, text } = await bundle({ ...MAIN, [`${IT}/package.json`]: manifest, ...more });
    expect(found).toEqual(['it']);
    expect(text).toContain('import "it"');
    expect(text).not.toContain('bundled');
  });

  it('names a package with a scope, and keeps the path inside it', async () => {
    const folder = 'node_modules/@me/it';
    const { found, text } = await bundle(
      {
        [`${folder}/package.json`]: '{ "name": "@me/it", "gypfile": true }',
        [`${folder}/lib/part.js`]: `console.log('bundled');`,
      },
      `import '@me/it/lib/part.js';`,
    );
    expect(found).toEqual(['@me/it']);
    expect(text).toContain('import "@me/it/lib/part.js"');
  });

  it('finds a native package that the framework imports', async () => {
    const { found, text } = await bundle(
      {
        'lib/package.json': '{ "name": "@virgule/runtime" }',
        'lib/index.js': `import('it'); console.log('virgule is bundled');`,
        ...MAIN,
        [`${IT}/package.json`]: '{ "name": "it", "neon": {} }',
      },
      `import './lib/index.js';`,
    );
    expect(found).toEqual(['it']);
    expect(text).toContain('virgule is bundled');
  });

  it('finds a native package behind one that is bundled', async () => {
    const { found, text } = await bundle(
      {
        'node_modules/outer/package.json': '{ "name": "outer" }',
        'node_modules/outer/index.js': `import 'it'; console.log('outer is bundled');`,
        ...MAIN,
        [`${IT}/package.json`]: '{ "name": "it", "gypfile": true }',
      },
      `import 'outer';`,
    );
    expect(found).toEqual(['it']);
    expect(text).toContain('outer is bundled');
  });

  it('treats the innermost package as the owner of a file', async () => {
    const inner = 'node_modules/outer/node_modules/it';
    const { found } = await bundle(
      {
        'node_modules/outer/package.json': '{ "name": "outer", "gypfile": true }',
        'node_modules/outer/index.js': '',
        [`${inner}/package.json`]: '{ "name": "it" }',
        [`${inner}/index.js`]: '',
      },
      `import './node_modules/outer/node_modules/it/index.js'; import 'outer';`,
    );
    expect(found).toEqual(['outer']);
  });

  it('asks for a package once a folder, however many files import it', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `f${index}`);
    const files = Object.fromEntries(
      names.flatMap((name) => [
        [`one/${name}.js`, `import 'it';`],
        [`two/${name}.js`, `import 'it'; import('it');`],
      ]),
    );
    const { text, resolved } = await bundle(
      { ...files, ...MAIN },
      Object.keys(files)
        .map((file) => `import './${file}';`)
        .join('\n'),
    );
    expect(text).toContain('bundled');
    // Once for each folder and kind of import.
    expect(resolved).toBe(3);
  });

  it('leaves Node.js itself out without naming it', async () => {
    const { found, text } = await bundle(
      {},
      `import fs from 'fs'; import path from 'node:path'; console.log(fs, path);`,
    );
    expect(found).toEqual([]);
    expect(text).toContain('from "fs"');
    expect(text).toContain('from "node:path"');
  });

  it('bundles a package without a package.json', async () => {
    const { found, text } = await bundle(MAIN);
    expect(found).toEqual([]);
    expect(text).toContain('bundled');
  });

  it('leaves it to the bundler to say that a package.json is broken', async () => {
    const broken = { ...MAIN, [`${IT}/package.json`]: '{ "name": ' };
    await expect(bundle(broken)).rejects.toThrow('Unexpected end of file in JSON');
  });

  it('leaves it to the bundler to say that a package is not there', async () => {
    await expect(bundle({}, `import 'nowhere';`)).rejects.toThrow('Could not resolve "nowhere"');
  });
});
