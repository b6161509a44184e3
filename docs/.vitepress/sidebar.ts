import { readdirSync, readFileSync } from 'node:fs';

export interface SidebarItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: SidebarItem[];
}

/** Returns the pages of a folder without their extension, in alphabetical order. */
const pagesOf = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => name.replace(/\.md$/, ''))
    .toSorted();

/** Returns the heading of a page. */
const titleOf = (page: string): string => {
  const text = readFileSync(new URL(`../${page}.md`, import.meta.url), 'utf8');
  return /^# (.+)$/m.exec(text)?.[1] ?? page;
};

/** `003-development-despite-errors` as `003 Development despite errors`. */
function decisionTitle(page: string): string {
  const [number, first = '', ...rest] = page.split('-');
  return [number, first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

/** All pages, in the order in which they are read. */
export const sidebar: SidebarItem[] = [
  {
    text: 'Start',
    items: [
      { text: 'Getting started', link: '/guide/getting-started' },
      { text: 'Where does my bot live?', link: '/guide/where-bots-live' },
    ],
  },
  {
    text: 'Commands',
    items: [
      { text: 'Commands', link: '/guide/commands' },
      { text: 'Options', link: '/guide/options' },
      { text: 'Answers', link: '/guide/answers' },
      { text: 'Callers', link: '/guide/callers' },
      { text: 'Waiting for users', link: '/guide/waiting' },
      { text: 'Errors', link: '/guide/errors' },
      { text: 'Code and models', link: '/guide/models' },
    ],
  },
  {
    text: 'Events and tasks',
    items: [
      { text: 'Events', link: '/guide/events' },
      { text: 'Tasks', link: '/guide/tasks' },
      { text: 'Storage', link: '/guide/storage' },
      { text: 'Services', link: '/guide/services' },
      { text: 'Configuration', link: '/guide/configuration' },
      { text: 'Lifecycle', link: '/guide/lifecycle' },
      { text: 'Voice', link: '/guide/voice' },
    ],
  },
  {
    text: 'Testing',
    items: [
      { text: 'Testing', link: '/guide/testing' },
      { text: 'Fuzzing', link: '/guide/fuzzing' },
      { text: 'The simulator', link: '/guide/simulator' },
    ],
  },
  {
    text: 'Production',
    items: [
      { text: 'Your first real server', link: '/guide/first-server' },
      { text: 'Deploying', link: '/guide/deploying' },
      { text: 'Production', link: '/guide/production' },
      { text: 'Failed work', link: '/guide/failed' },
      { text: 'Scaling', link: '/guide/scaling' },
    ],
  },
  {
    text: 'Tools',
    items: [
      { text: 'Developing', link: '/guide/developing' },
      { text: 'The chat page', link: '/playground' },
    ],
  },
  {
    text: 'Tutorial',
    collapsed: true,
    items: pagesOf('tutorial').map((page) => ({
      text: titleOf(`tutorial/${page}`),
      link: `/tutorial/${page}`,
    })),
  },
  {
    text: 'Recipes',
    link: '/recipes/',
    collapsed: true,
    items: pagesOf('recipes').map((page) => ({
      text: titleOf(`recipes/${page}`),
      link: `/recipes/${page}`,
    })),
  },
  {
    text: 'Migrating',
    link: '/migrate/',
    collapsed: true,
    items: [
      ...pagesOf('migrate').map((page) => ({
        text: titleOf(`migrate/${page}`),
        link: `/migrate/${page}`,
      })),
      { text: 'Comparison', link: '/comparison' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Command line', link: '/reference/command-line' },
      { text: 'API', link: '/reference/api' },
      { text: 'Context', link: '/reference/context' },
      { text: 'Settings', link: '/guide/configuration#settings' },
      { text: 'Test bots', link: '/reference/testing' },
      { text: 'Events', link: '/reference/events' },
      { text: 'Raw input', link: '/reference/raw-input' },
      { text: 'Endpoints', link: '/reference/endpoints' },
      { text: 'Control API', link: '/reference/control-api' },
      { text: 'Performance', link: '/reference/performance' },
      { text: 'Faults', link: '/reference/faults' },
      { text: 'Reliability', link: '/reliability' },
      { text: 'Security', link: '/security' },
      { text: 'Support and stability', link: '/support' },
      {
        text: 'Errors',
        link: '/errors/',
        collapsed: true,
        items: pagesOf('errors').map((page) => ({
          text: page.toUpperCase(),
          link: `/errors/${page}`,
        })),
      },
    ],
  },
  {
    text: 'Contributing',
    items: [
      { text: 'Architecture', link: '/architecture' },
      { text: 'Fault scenarios', link: '/fault-scenarios' },
    ],
  },
  {
    text: 'Decisions',
    collapsed: true,
    items: pagesOf('decisions').map((page) => ({
      text: decisionTitle(page),
      link: `/decisions/${page}`,
    })),
  },
];
