import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { llmsText } from '../../packages/tools/llms-text.mjs';
import { sidebar } from './sidebar.js';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const plainCode = (code: string): string =>
  `<pre v-pre><code>${code.replace(/[&<>]/g, (letter) => ENTITIES[letter] ?? letter)}</code></pre>`;

export default defineConfig({
  title: 'Virgule',
  description: 'Turn a folder of files into a slash-command bot.',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  themeConfig: {
    logo: '/favicon.svg',
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/guide/getting-started', activeMatch: '/guide/' },
      { text: 'Tutorial', link: '/tutorial/1-options', activeMatch: '/tutorial/' },
      { text: 'Recipes', link: '/recipes/', activeMatch: '/recipes/' },
      { text: 'Reference', link: '/reference/context', activeMatch: '/reference/|/errors/' },
      { text: 'Comparison', link: '/comparison', activeMatch: '/comparison|/migrate/' },
    ],
    sidebar,
  },
  // Highlighting takes a third of the time of a build, and cannot fail: `npm test` does without.
  markdown: process.env['DOCS_PLAIN']
    ? { highlight: plainCode }
    : { theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  // These pages have almost no headings: code gets the room of their outline.
  transformPageData({ relativePath, frontmatter }) {
    if (/^(?:recipes|tutorial)\//.test(relativePath)) frontmatter['aside'] = false;
  },
  // For programs that read: the sources of the pages, and their list.
  buildEnd({ pages, srcDir, outDir }) {
    for (const page of pages) cpSync(join(srcDir, page), join(outDir, page));
    writeFileSync(join(outDir, 'llms.txt'), llmsText(sidebar));
  },
});
