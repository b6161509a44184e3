import { defaultClientConditions, defineConfig } from 'vite';

const simulator = process.env['VIRGULE_SIMULATOR'] ?? 'http://127.0.0.1:7300';
const proxy = { target: simulator, changeOrigin: true, headers: { origin: simulator } };

export default defineConfig({
  // Absolute, because the page is served for URLs of any depth.
  base: '/',
  // @virgule/core is bundled from its sources.
  resolve: { conditions: ['virgule-source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licenses of the bundled packages require a copy.
    license: { fileName: 'THIRD_PARTY.txt' },
  },
  server: {
    proxy: { '/_ui': { ...proxy, ws: true }, '/_sim': proxy, '/api': proxy },
  },
});
