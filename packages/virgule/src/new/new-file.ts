import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, errorText } from '@virgule/core/errors';
import { recordIn } from '@virgule/core/objects';
import { listProjectFiles, scan } from '@virgule/runtime/project';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { readableIoEnv } from '../terminal/read-io-env.js';
import { loadSettings } from '../project/load-settings.js';
import { ProjectProblems } from '../project/project-problems.js';

type Kind = keyof typeof CONTENTS;

/**
 * Creates the file of a new command, event or task, next to the others and in their language.
 *
 * @param name - as typed: `admin/ban`, `/admin/ban`, `message-create`, `MESSAGE_CREATE`.
 * @throws ProjectProblems when the project would reject the file, for example because the platform refuses its name,
 * VirguleError `E_NEW_FILE` when the name leads out of the folder, or the project would ignore the file, or the file
 * exists or cannot be written.
 */
export async function createNewFile(kind: Kind, name: string, io: Io) {
  const root = io.cwd;
  const env = readableIoEnv(io, 'development');
  const files = await listProjectFiles(root);
  const { separator } = await loadSettings({ root, env, redact: io.redact }).catch(() => ({
    separator: undefined,
  }));
  const path = pathOf(name, kind);
  const file = `${folderFor(kind, files)}/${path}${await extensionFor(root, files)}`;
  const refuse = (reason: string, cause?: unknown): never => {
    throw cliErrors.E_NEW_FILE({ file, reason }, { cause, location: { file } });
  };
  if (path.split('/').some((part) => ['', '.', '..'].includes(part)))
    refuse(`"${name}" cannot be the name of ${kind === 'event' ? 'an event' : `a ${kind}`}`);
  const before = scan(files, { separator }).problems.map(({ message }) => message);
  const { manifest, problems } = scan([...files, file], { separator });
  const added = problems.filter(({ message }) => !before.includes(message));
  if (added.length > 0) throw new ProjectProblems(added);
  const found = manifest[`${kind}s`].find((each) => each.file === file);
  const route = found ?? refuse('names that begin with "_" or "." are ignored');
  const makes = 'event' in route ? route.event : `${kind === 'command' ? '/' : ''}${route.name}`;
  try {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), CONTENTS[kind](makes), { flag: 'wx' });
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') refuse('it already exists', cause);
    // A partial file would be a broken command, and would prevent another attempt.
    await rm(join(root, file), { force: true });
    refuse(errorText(cause), cause);
  }
  return {
    /** Path relative to the project's root, with `/`. */
    file,
    /** Name of the command with its slash, of the event, or of the task. */
    makes,
  };
}

/** Returns `/admin/ban.ts` as `admin/ban`, `MESSAGE_CREATE` as `message-create`. */
function pathOf(name: string, kind: Kind): string {
  const path = name
    .replaceAll('\\', '/')
    .replace(/^\/+/, '')
    .replace(/\.[cm]?[jt]sx?$/, '');
  return kind === 'event' ? path.toLowerCase().replaceAll('_', '-') : path;
}

/** Returns the folder that the project uses; the default folder if it uses none. */
function folderFor(kind: Kind, files: readonly string[]): string {
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

const CONTENTS = {
  command: (name: string) => `import { defineCommand } from 'virgule';

export default defineCommand({
  description: 'Describe what ${name} does',
  run: () => 'Hello from ${name}.',
});
`,
  event: (name: string) => `import { defineEvent } from 'virgule';

export default defineEvent('${name}', ({ data, log }) => {
  log.info({ data }, '${name}');
});
`,
  task: (name: string) => `import { defineTask } from 'virgule';

export default defineTask({
  every: '1h',
  run: ({ log }) => {
    log.info('${name} runs');
  },
});
`,
};
