import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listProjectFiles } from './list-files.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'virgule-list-'));
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

async function write(...files: string[]): Promise<void> {
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), '');
  }
}

describe('listProjectFiles', () => {
  it('lists what can mean something, sorted, and reads nothing else', async () => {
    await write(
      'virgule.config.ts',
      'services.ts',
      'commands/b.ts',
      'commands/a/(g)/c.ts',
      'events/ready.ts',
      'src/services.ts',
      'src/commands/d.ts',
      'src/events/error.ts',
      'lib/db.ts',
      'src/lib/db.ts',
    );
    expect(await listProjectFiles(root)).toEqual([
      'commands/a/(g)/c.ts',
      'commands/b.ts',
      'events/ready.ts',
      'services.ts',
      'src/commands/d.ts',
      'src/events/error.ts',
      'src/services.ts',
      'virgule.config.ts',
    ]);
  });

  it('passes over node_modules, dist and dot-folders', async () => {
    await write(
      'commands/a.ts',
      'commands/node_modules/x/index.js',
      'commands/dist/a.js',
      'commands/.cache/a.ts',
      'commands/.a.ts',
    );
    expect(await listProjectFiles(root)).toEqual(['commands/a.ts']);
  });

  it('returns nothing for a missing folder', async () => {
    expect(await listProjectFiles(join(root, 'nowhere'))).toEqual([]);
  });

  it('returns nothing for a commands "folder" that is a file', async () => {
    await write('commands');
    expect(await listProjectFiles(root)).toEqual(['commands']);
  });

  it('follows links to files and folders', async () => {
    await write('shared/kick.ts', 'shared/more/ban.ts', 'commands/a.ts');
    await symlink(join(root, 'shared/kick.ts'), join(root, 'commands/kick.ts'));
    await symlink(join(root, 'shared/more'), join(root, 'commands/admin'));
    expect(await listProjectFiles(root)).toEqual([
      'commands/a.ts',
      'commands/admin/ban.ts',
      'commands/kick.ts',
    ]);
  });

  it('ends on links that lead in a circle', async () => {
    await write('commands/a/x.ts');
    await symlink(join(root, 'commands'), join(root, 'commands/a/up'));
    await symlink(join(root, 'commands/a'), join(root, 'commands/a/self'));
    expect(await listProjectFiles(root)).toEqual(['commands/a/x.ts']);
  });

  it('keeps a link without a target, which may be a guard', async () => {
    await write('commands/a/x.ts');
    await symlink(join(root, 'gone'), join(root, 'commands/a/_middleware.ts'));
    expect(await listProjectFiles(root)).toEqual(['commands/a/_middleware.ts', 'commands/a/x.ts']);
  });

  it('reads a folder under its own path when a link leads to it as well', async () => {
    await write('commands/zoo/x.ts');
    await write('events/ready.ts');
    await symlink(join(root, 'commands/zoo'), join(root, 'commands/ape'));
    await symlink(join(root, 'events'), join(root, 'commands/events'));
    expect(await listProjectFiles(root)).toEqual(['commands/zoo/x.ts', 'events/ready.ts']);
  });

  it('follows a link that is the commands folder itself', async () => {
    await write('elsewhere/a.ts');
    await symlink(join(root, 'elsewhere'), join(root, 'commands'));
    expect(await listProjectFiles(root)).toEqual(['commands/a.ts']);
  });

  // Root may read everything, so there is nothing to see.
  it.skipIf(process.getuid?.() === 0)('names a folder that may not be read', async () => {
    await write('commands/a.ts');
    await chmod(join(root, 'commands'), 0);
    await expect(listProjectFiles(root)).rejects.toMatchObject({ code: 'E_PROJECT_UNREADABLE' });
    await chmod(join(root, 'commands'), 0o700);
  });

  it('names a path that cannot be read at all', async () => {
    await expect(listProjectFiles(join(root, 'a\0b'))).rejects.toMatchObject({
      code: 'E_PROJECT_UNREADABLE',
      hint: expect.stringContaining('exists'),
    });
  });
});
