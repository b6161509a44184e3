import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createWorkplace, type Workplace } from './test-io.js';

/** Makes `my-bot` with these entries; a name that ends in `/` is a folder. */
async function fill(place: Workplace, names: readonly string[]): Promise<void> {
  await mkdir(join(place.cwd, 'my-bot'));
  for (const name of names) {
    const path = join(place.cwd, 'my-bot', name);
    if (name.endsWith('/')) await mkdir(path);
    else await writeFile(path, 'mine');
  }
}

const read = (place: Workplace, path: string) => readFile(join(place.cwd, path), 'utf8');

describe('create-virgule in a folder that is not empty', () => {
  it('rejects it, lists the conflicts and changes nothing', async () => {
    await using place = await createWorkplace();
    await fill(place, ['notes.txt', 'src/', '.git/', 'LICENSE']);
    const { exitCode, stderr, stdout } = await place.run({ argv: ['my-bot', '--yes'] });
    expect(exitCode).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toBe(
      'Error [E_CREATE_FOLDER] my-bot is not empty: it contains notes.txt and src.\n' +
        'Try:  Choose another folder, or pass --merge to write only files that do not exist yet.\n' +
        'Docs: https://virgule.dev/errors/e_create_folder\n',
    );
    expect(await place.names('my-bot')).toEqual(['.git', 'LICENSE', 'notes.txt', 'src']);
  });

  it('lists three of many', async () => {
    await using place = await createWorkplace();
    await fill(
      place,
      Array.from({ length: 13 }, (_, index) => `file-${index}`),
    );
    const { stderr } = await place.run({ argv: ['my-bot'] });
    expect(stderr.match(/file-/g)).toHaveLength(3);
    expect(stderr).toContain(' and 10 more.\n');
  });

  it('lists them in JSON too', async () => {
    await using place = await createWorkplace();
    await fill(place, ['notes.txt']);
    const { exitCode, stdout, stderr } = await place.run({ argv: ['my-bot', '--json'] });
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: 'E_CREATE_FOLDER', details: { names: ['notes.txt'] } },
    });
  });

  it('ignores the entries of a new repository or an editor', async () => {
    await using place = await createWorkplace();
    await fill(place, ['.git/', '.idea/', '.vscode/', 'LICENSE', '.DS_Store']);
    const { exitCode } = await place.run({ argv: ['my-bot'] });
    expect(exitCode).toBe(0);
    expect(await place.names('my-bot')).toEqual(
      [
        '.git',
        '.idea',
        '.vscode',
        'LICENSE',
        '.DS_Store',
        '.gitignore',
        'README.md',
        'commands',
        'package.json',
      ].toSorted(),
    );
  });

  it('keeps the files of a new repository', async () => {
    await using place = await createWorkplace();
    await fill(place, ['README.md', '.gitignore', '.gitattributes', '.editorconfig', '.github/']);
    const { exitCode, stdout } = await place.run({ argv: ['my-bot'] });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Wrote 2 files');
    expect(stdout).toContain(
      'Kept existing files: .gitignore, README.md\n! Add to .gitignore: node_modules/\n',
    );
    expect(await read(place, 'my-bot/README.md')).toBe('mine');
    expect(await read(place, 'my-bot/.gitignore')).toBe('mine');
  });

  it('does not ask for lines that .gitignore has', async () => {
    await using place = await createWorkplace();
    await fill(place, ['README.md']);
    await writeFile(join(place.cwd, 'my-bot/.gitignore'), 'dist/\r\nnode_modules\r\n');
    const { stdout } = await place.run({ argv: ['my-bot', '--json'] });
    expect(JSON.parse(stdout)).toMatchObject({ kept: ['.gitignore', 'README.md'], ignore: [] });
  });

  it('writes only missing files with --merge', async () => {
    await using place = await createWorkplace();
    await fill(place, ['README.md', 'commands/', 'notes.txt']);
    await writeFile(join(place.cwd, 'my-bot/commands/mine.ts'), 'mine');
    const { exitCode, stdout } = await place.run({ argv: ['my-bot', '--merge'] });
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Wrote 3 files');
    expect(stdout).toContain('Kept existing files: README.md\n');
    expect(await read(place, 'my-bot/README.md')).toBe('mine');
    expect(await place.names('my-bot/commands')).toEqual(['hello.ts', 'mine.ts']);
  });

  it('names the packages that a kept package.json lacks with --merge', async () => {
    await using place = await createWorkplace();
    await mkdir(join(place.cwd, 'my-bot'));
    const path = join(place.cwd, 'my-bot/package.json');
    await writeFile(path, '{ "dependencies": {} }');
    const lacking = await place.run({ argv: ['my-bot', '--merge'] });
    expect(lacking.stdout).toContain('\n  npm add virgule@1.2.3\n');
    await writeFile(path, '{ "devDependencies": { "virgule": "next" } }');
    const complete = await place.run({ argv: ['my-bot', '--merge'] });
    expect(complete.stdout).toContain('\n  npm install\n');
  });

  it('does not merge if a file exists where a folder is required', async () => {
    await using place = await createWorkplace();
    await fill(place, ['commands']);
    const { exitCode, stderr } = await place.run({ argv: ['my-bot', '--merge'] });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('it contains commands.\n');
    expect(await place.names('my-bot')).toEqual(['commands']);
  });

  it('does not write through a link out of the folder with --merge', async () => {
    await using place = await createWorkplace();
    await mkdir(join(place.cwd, 'elsewhere'));
    await mkdir(join(place.cwd, 'my-bot'));
    await symlink(join(place.cwd, 'elsewhere'), join(place.cwd, 'my-bot/commands'));
    const { exitCode, stderr } = await place.run({ argv: ['my-bot', '--merge'] });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('E_CREATE_FOLDER');
    expect(await place.names('elsewhere')).toEqual([]);
  });

  it('rejects a file or a broken symbolic link in place of the folder', async () => {
    await using place = await createWorkplace();
    await writeFile(join(place.cwd, 'taken'), 'mine');
    await symlink('nowhere', join(place.cwd, 'link'));
    for (const folder of ['taken', 'link']) {
      const { exitCode, stderr } = await place.run({ argv: [folder] });
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`Error [E_CREATE_FOLDER] ${folder} is a file`);
    }
    expect(await read(place, 'taken')).toBe('mine');
  });

  it('reports why the files could not be written, and removes partial files', async () => {
    await using place = await createWorkplace();
    await writeFile(join(place.cwd, 'taken'), 'mine');
    const { exitCode, stderr } = await place.run({ argv: ['taken/my-bot'] });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('Error [E_CREATE_FAILED] The files could not be written');
    expect(stderr).toMatch(/ENOTDIR|EEXIST/);
    expect(await place.names()).toEqual(['taken']);
  });
});
