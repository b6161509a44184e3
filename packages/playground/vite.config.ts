import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig, minify, type Plugin } from 'vite';

const FIRST_PAINT = fileURLToPath(new URL('./first-paint.js', import.meta.url));

/**
 * Inserts the script that sets the theme before everything else, as a classic script: a module would run
 * after the first paint, and the policy of the page allows no inline scripts.
 */
function firstPaint(): Plugin {
  let reference = '';
  return {
    name: 'first-paint',
    async buildStart() {
      if (this.environment.mode !== 'build') return;
      const { code } = await minify(FIRST_PAINT, await readFile(FIRST_PAINT, 'utf8'));
      reference = this.emitFile({ type: 'asset', name: 'first-paint.js', source: code });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const built = Object.values(bundle ?? {}).find(
          (file) => file.type === 'asset' && file.names.includes('first-paint.js'),
        );
        const src = reference === '' ? '/first-paint.js' : `/${built?.fileName ?? ''}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}

/** Writes the licenses of the bundled packages, which the licenses require. */
function thirdPartyNotices(): Plugin {
  return {
    name: 'third-party-notices',
    apply: 'build',
    async generateBundle() {
      const folders = new Set<string>();
      for (const id of this.getModuleIds()) {
        const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
        if (folder !== undefined) folders.add(folder);
      }
      const sections = [...folders].toSorted().map(async (folder) => {
        const { name, version, license } = JSON.parse(
          await readFile(`${folder}/package.json`, 'utf8'),
        ) as Readonly<Record<string, string>>;
        const text = await readFile(`${folder}/LICENSE`, 'utf8');
        return `${'-'.repeat(80)}\n\n${name} ${version} (${license})\n\n${text.trim()}`;
      });
      const source = `The page contains code of the following packages.\n\n${(await Promise.all(sections)).join('\n\n')}\n`;
      this.emitFile({ type: 'asset', fileName: 'THIRD_PARTY.txt', source });
    },
  };
}

const simulator = process.env['VIRGULE_SIMULATOR'] ?? 'http://127.0.0.1:7300';
const proxy = { target: simulator, changeOrigin: true, headers: { origin: simulator } };

export default defineConfig({
  // Absolute, because the page is served for URLs of any depth.
  base: '/',
  plugins: [firstPaint(), thirdPartyNotices()],
  // @virgule/core is bundled from its sources.
  resolve: { conditions: ['virgule-source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/_ui': { ...proxy, ws: true }, '/_sim': proxy, '/api': proxy },
  },
});
