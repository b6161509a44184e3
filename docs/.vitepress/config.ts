import { readdirSync } from 'node:fs';
import { defineConfig } from 'vitepress';

/** Every page of an error code, in the order of the alphabet. */
const errorPages = readdirSync(new URL('../errors', import.meta.url))
  .filter((name) => name.startsWith('e_'))
  .map((name) => name.replace(/\.md$/, ''))
  .toSorted();

export default defineConfig({
  title: 'Virgule',
  description: 'A folder of files becomes a bot of slash commands.',
  cleanUrls: true,
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guide', link: '/guide/getting-started', activeMatch: '/guide/' },
      { text: 'Reference', link: '/reference/context', activeMatch: '/reference/|/errors/' },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'Getting started', link: '/guide/getting-started' },
          { text: 'Commands', link: '/guide/commands' },
          { text: 'Answers', link: '/guide/answers' },
          { text: 'Events', link: '/guide/events' },
          { text: 'Testing', link: '/guide/testing' },
          { text: 'Deploying', link: '/guide/deploying' },
          { text: 'The simulator', link: '/guide/simulator' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Command line', link: '/reference/command-line' },
          { text: 'Context', link: '/reference/context' },
          { text: 'Endpoints', link: '/reference/endpoints' },
          {
            text: 'Errors',
            link: '/errors/',
            collapsed: true,
            items: errorPages.map((page) => ({
              text: page.toUpperCase(),
              link: `/errors/${page}`,
            })),
          },
        ],
      },
      {
        text: 'Decisions',
        collapsed: true,
        items: [{ text: '001 Layout', link: '/decisions/001-layout' }],
      },
    ],
  },
});
