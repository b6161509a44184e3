import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { readLocalCommands } from './local-commands.js';

async function projectWith(files: Readonly<Record<string, string>>) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

const FILES = {
  'commands/admin/ban.ts': `import * as z from 'zod';
export default {
  description: 'Ban',
  options: z.object({
    who: z.string().describe('Who'),
  }),
  run: () => 'ok',
};`,
  'virgule.config.ts': `export default { baseUrl: 'https://chat.example', separator: '_' };`,
};

describe('readLocalCommands', () => {
  it('reads the files of a project, with its settings', async () => {
    const { root } = await projectWith(FILES);
    const local = await readLocalCommands(root);
    expect(local.items).toMatchObject([{ name: 'admin_ban', options: [{ name: 'who' }] }]);
    expect(local.platform.baseUrl).toBe('https://chat.example');
    expect(local.fileOf('admin_ban')).toBe('commands/admin/ban.ts');
    expect(local.fileOf('nobody')).toBeUndefined();
  });

  it('reports every problem of the files', async () => {
    const { root } = await projectWith({
      'commands/a.ts': 'export {};',
      'commands/b.ts': 'export {};',
    });
    await expect(readLocalCommands(root)).rejects.toMatchObject({ problems: [{}, {}] });
  });

  it('reads a saved set without the code, but with the settings', async () => {
    const set = { v: 1, applicationId: 'app', own: null, commands: [] };
    const { root } = await projectWith({
      ...FILES,
      'commands/admin/ban.ts': 'export default {',
      [join('.virgule', 'deploys', 'then.json')]: JSON.stringify(set),
    });
    const local = await readLocalCommands(root, { from: 'then' });
    expect(local).toMatchObject({ items: [], called: 'saved', applicationId: 'app', own: [] });
    expect(local.platform.baseUrl).toBe('https://chat.example');
    // The file by that name may hold something else by now.
    expect(local.fileOf('admin_ban')).toBeUndefined();
  });
});
