import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkplace } from './test-io.js';

it('does not wait for a .gitignore that is a pipe', async () => {
  await using place = await createWorkplace();
  await mkdir(join(place.cwd, 'my-bot'));
  execFileSync('mkfifo', [join(place.cwd, 'my-bot/.gitignore')]);
  const { stdout } = await place.run({ argv: ['my-bot', '--force=merge', '--json'] });
  expect(JSON.parse(stdout)).toMatchObject({
    kept: ['.gitignore'],
    ignore: expect.arrayContaining(['node_modules/']),
  });
});
