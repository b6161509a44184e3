import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

export interface TestProject {
  /** Absolute path of its folder. */
  readonly root: string;
  write(file: string, text: string): Promise<void>;
  remove(file: string): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A bot's folder on disk, with `virgule` and `zod` installed by links, as in a workspace. */
export async function createTestProject(
  files: Readonly<Record<string, string>>,
): Promise<TestProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'virgule-test-')));
  const project: TestProject = {
    root,
    async write(file, text) {
      await mkdir(dirname(join(root, file)), { recursive: true });
      // At once: a watcher would see it empty if a busy event loop turned in between.
      writeFileSync(join(root, file), text);
    },
    remove: (file) => rm(join(root, file)),
    // A process that was asked to end may still write a file: the folder is then not empty.
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 10 }),
  };
  await mkdir(join(root, 'node_modules'));
  await symlink(packageRoot, join(root, 'node_modules', 'virgule'));
  await symlink(
    await realpath(join(packageRoot, 'node_modules', 'zod')),
    join(root, 'node_modules', 'zod'),
  );
  await project.write('package.json', '{ "name": "test-bot", "type": "module" }');
  for (const [file, text] of Object.entries(files)) await project.write(file, text);
  return project;
}

/**
 * Creates a project with a stub in place of `virgule`, which takes a second to bundle. For what does not depend on the
 * code of the runtime.
 */
export async function createStubProject(
  files: Readonly<Record<string, string>>,
): Promise<TestProject> {
  const project = await createTestProject(files);
  await project.remove('node_modules/virgule');
  await project.write('node_modules/virgule/package.json', '{ "type": "module" }');
  await project.write(
    'node_modules/virgule/index.js',
    'export const defineCommand = (command) => command;',
  );
  await project.write(
    'node_modules/virgule/bot.js',
    `export const runBot = ({ manifest, modules }) => new Promise((resolve) => {
       const registered = manifest.commands.map(({ name, file }) => {
         const { description } = modules[file].default;
         return { name, description, options: [] };
       });
       process.send({ registered }, resolve);
     });
     export const guardOutput = () => ({ settings() {} });`,
  );
  return project;
}

/** Blocks the process indefinitely, like an endless loop, but leaves the core to other tests. */
export const BLOCKING = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** A command file that answers a fixed text. */
export const answering = (text: string): string => `
import { defineCommand } from 'virgule';
export default defineCommand({ description: 'Answer', run: () => ${JSON.stringify(text)} });
`;
