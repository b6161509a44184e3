import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Redactor } from '@virgule/core/log';
import { recordIn } from '@virgule/core/objects';
import { type Env, listProjectFiles, scan } from '@virgule/runtime/project';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { readableIoEnv } from '../terminal/read-io-env.js';
import { loadSettings } from '../project/load-settings.js';
import { ProjectProblems } from '../project/project-problems.js';

interface NewFileOptions {
  readonly root: string;
  readonly kind: 'command' | 'event' | 'task';
  /** Name as typed: `admin/ban`, `/admin/ban`, `message-create`, `MESSAGE_CREATE`. */
  readonly name: string;
  readonly env: Env;
  readonly redact: Redactor;
}

/** Creates the file of a new command, event or task. */
export async function createNewFile(kind: NewFileOptions['kind'], name: string, io: Io) {
  const env = readableIoEnv(io, 'development');
  const planned = await planNewFile({ root: io.cwd, kind, name, env, redact: io.redact });
  await writeNewFile(io.cwd, planned);
  return planned;
}

/**
 * Plans the file of a new command, event or task, next to the others and in their language.
 *
 * @throws ProjectProblems when the project would reject the file, for example because the platform refuses its name,
 * VirguleError `E_NEW_FILE` when the name leads out of the folder or the project would ignore the file.
 */
async function planNewFile(options: NewFileOptions) {
  const { root, kind, name, env, redact } = options;
  const files = await listProjectFiles(root);
  const { separator } = await loadSettings({ root, env, redact }).catch(() => ({
    separator: undefined,
  }));
  const path = pathOf(name, kind);
  const file = `${folderFor(kind, files)}/${path}${await extensionFor(root, files)}`;
  const refuse = (reason: string): never => {
    throw cliErrors.E_NEW_FILE({ file, reason }, { location: { file } });
  };
  if (path.split('/').some((part) => ['', '.', '..'].includes(part)))
    refuse(`"${name}" is no name of ${kind === 'event' ? 'an event' : `a ${kind}`}`);
  const before = scan(files, { separator }).problems.map(({ message }) => message);
  const { manifest, problems } = scan([...files, file], { separator });
  const added = problems.filter(({ message }) => !before.includes(message));
  if (added.length > 0) throw new ProjectProblems(added);
  const routes = {
    command: manifest.commands.map((route) => ({ file: route.file, makes: `/${route.name}` })),
    event: manifest.events.map((route) => ({ file: route.file, makes: route.event })),
    task: manifest.tasks.map((route) => ({ file: route.file, makes: route.name })),
  };
  const made = routes[kind].find((route) => route.file === file);
  const { makes } = made ?? refuse('names that begin with "_" or "." are ignored');
  return {
    /** Path relative to the project's root, with `/`. */
    file,
    /** Name of the command with its slash, of the event, or of the task. */
    makes,
    content: CONTENTS[kind](makes),
  };
}

/**
 * Writes a file that does not exist yet.
 *
 * @throws VirguleError `E_NEW_FILE` when the file exists or cannot be written.
 */
async function writeNewFile(
  root: string,
  { file, content }: Awaited<ReturnType<typeof planNewFile>>,
): Promise<void> {
  const path = join(root, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    const created = await open(path, 'wx');
    try {
      await created.writeFile(content);
    } catch (error) {
      // A partial file would be a broken command, and would prevent another attempt.
      await rm(path, { force: true });
      throw error;
    } finally {
      await created.close();
    }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'it already exists' : message;
    throw cliErrors.E_NEW_FILE({ file, reason }, { cause, location: { file } });
  }
}

/** Returns `/admin/ban.ts` as `admin/ban`, `MESSAGE_CREATE` as `message-create`. */
function pathOf(name: string, kind: NewFileOptions['kind']): string {
  const path = name
    .replaceAll('\\', '/')
    .replace(/^\/+/, '')
    .replace(/\.[cm]?[jt]sx?$/, '');
  return kind === 'event' ? path.toLowerCase().replaceAll('_', '-') : path;
}

/** Returns the folder that the project uses; the default folder if it uses none. */
function folderFor(kind: NewFileOptions['kind'], files: readonly string[]): string {
  const isIn = (folder: string): boolean => files.some((file) => file.startsWith(`${folder}/`));
  if (isIn(`${kind}s`)) return `${kind}s`;
  return ['src/commands', 'src/events', 'src/tasks'].some(isIn) ? `src/${kind}s` : `${kind}s`;
}

async function extensionFor(root: string, files: readonly string[]): Promise<string> {
  const isTyped =
    existsSync(join(root, 'tsconfig.json')) || files.some((file) => /\.m?tsx?$/.test(file));
  if (isTyped) return '.ts';
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  return recordIn(text)?.['type'] === 'module' ? '.js' : '.mjs';
}

const CONTENTS: Readonly<Record<NewFileOptions['kind'], (name: string) => string>> = {
  command: (name) => `import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'Describe what ${name} does',
  run: () => 'Hello from ${name}.',
});
`,
  event: (name) => `import { defineEvent } from 'virgule';

export default defineEvent('${name}', ({ data, log }) => {
  log.info({ data }, '${name}');
});
`,
  task: (name) => `import { defineTask } from 'virgule';

export default defineTask({
  every: '1h',
  run: ({ log }) => {
    log.info('${name} runs');
  },
});
`,
};
