import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BIN } from './running-dev.js';
import { answering, createTestProject } from './test-project.js';

// Windows has no limit for the size of files.
it.skipIf(process.platform === 'win32')(
  'virgule new leaves no file behind that it could not write',
  async () => {
    await using project = await createTestProject({ 'commands/a.ts': answering('a') });
    const limited = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath];
    const err = await new Promise<string>((resolve) => {
      execFile(
        'sh',
        [...limited, BIN, 'new', 'command', 'admin/ban'],
        { cwd: project.root },
        (_, __, text) => resolve(text),
      );
    });
    expect(err).toContain('[E_NEW_FILE] commands/admin/ban.ts was not created: EFBIG');
    expect(await readdir(join(project.root, 'commands/admin'))).toEqual([]);
  },
);
