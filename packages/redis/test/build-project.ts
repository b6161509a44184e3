import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** Builds a project with these files, in a folder that is deleted after the test. `prepare` may add more. */
export async function buildProject(
  files: Readonly<Record<string, string>>,
  prepare: (root: string) => Promise<void> = async () => {},
): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'virgule-scaled-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await prepare(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  for (const [name, target] of [
    ['virgule', 'packages/virgule'],
    ['@virgule/redis', 'packages/redis'],
    ['zod', 'packages/virgule/node_modules/zod'],
  ] as const) {
    await mkdir(dirname(join(root, 'node_modules', name)), { recursive: true });
    await symlink(join(REPOSITORY, target), join(root, 'node_modules', name));
  }
  const bin = join(REPOSITORY, 'packages/virgule/bin/virgule.mjs');
  await promisify(execFile)(process.execPath, [bin, 'build', '--no-types'], { cwd: root });
  return root;
}
