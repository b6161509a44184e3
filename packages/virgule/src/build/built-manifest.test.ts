import { hash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { readBuiltManifest } from './built-manifest.js';
import { entrySource } from './entry-source.js';

const MANIFEST = {
  commands: [
    {
      name: 'admin-ban',
      file: 'commands/admin/ban.ts',
      middleware: ['commands/_middleware.ts'],
      errorHandlers: ['commands/_error.ts'],
    },
  ],
  events: [
    {
      event: 'MESSAGE_CREATE',
      file: 'events/message-create.ts',
      middleware: ['events/_middleware.ts'],
      errorHandlers: [],
    },
  ],
  tasks: [],
  services: 'services.ts',
  config: null,
};
const BOT = 'the bot';
const BUILT = JSON.stringify({
  v: 1,
  hash: hash('sha256', BOT),
  ...MANIFEST,
  registered: [{ name: 'admin-ban', description: 'Ban', options: [] }],
  platform: { baseUrl: 'https://chat.example' },
  sources: { 'commands/admin/ban.ts': hash('sha256', 'ban') },
  contents: ['assets', 'bot.mjs'],
});

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project.root;
}

describe('the manifest of a build', () => {
  it('is enough without the bot, and without the sources', async () => {
    const root = await folderWith({ 'dist/manifest.json': BUILT });
    expect(await readBuiltManifest(root)).toMatchObject({ v: 1 });
  });

  it.each([
    ['commands/admin/ban.ts', 'ban, changed', 'E_BUILD_UNUSABLE'],
    ['dist/bot.mjs', 'another bot', 'E_BUILD_UNUSABLE'],
    ['dist/manifest.json', '[]', 'E_BUILD_UNUSABLE'],
  ])('is refused when %s is %j', async (file, text, code) => {
    const root = await folderWith({
      'dist/manifest.json': BUILT,
      'commands/admin/ban.ts': 'ban',
      'events/message-create.ts': 'event',
      [file]: text,
    });
    await expect(readBuiltManifest(root)).rejects.toMatchObject({ code });
  });

  it('knows an event that was added since', async () => {
    const root = await folderWith({
      'dist/manifest.json': BUILT,
      'commands/admin/ban.ts': 'ban',
      'events/message-create.ts': 'event',
      'events/ready.ts': 'event',
    });
    await expect(readBuiltManifest(root)).rejects.toMatchObject({
      code: 'E_BUILD_UNUSABLE',
      location: { file: 'events/ready.ts' },
    });
  });
});

describe('entrySource', () => {
  it('imports every file of the manifest once, in an order of its own', () => {
    const source = entrySource(MANIFEST);
    const imported = [...source.matchAll(/^import \* as \w+ from "\.\/(.*)";$/gm)];
    expect(imported.map(([, path]) => path)).toEqual([
      'commands/_error.ts',
      'commands/_middleware.ts',
      'commands/admin/ban.ts',
      'events/_middleware.ts',
      'events/message-create.ts',
      'services.ts',
    ]);
    expect(source).toContain('"services.ts": module5');
    expect(source).toContain('root: import.meta.dirname');
  });

  it('writes names of any kind as texts', () => {
    const file = `commands/it's "quoted".ts`;
    const command = { name: 'x', file, middleware: [], errorHandlers: [] };
    const source = entrySource({
      commands: [command],
      events: [],
      tasks: [],
      services: null,
      config: null,
    });
    expect(source).toContain(`from ${JSON.stringify(`./${file}`)};`);
  });
});
