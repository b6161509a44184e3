import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { saveTest } from './save-test.js';
import { raceAbort } from '@virgule/core/abort';
import { sqlite } from '@virgule/runtime';
import {
  type StorageConnection,
  connectStorage,
  openScaled,
  operations,
  type ScaledProcess,
} from '@virgule/runtime/bot';
import {
  settingsForMode,
  listProjectFiles,
  scan,
  DEVELOPMENT_FILE,
} from '@virgule/runtime/project';
import { loadSettings } from '../project/load-settings.js';
import type { Io } from '../terminal/io.js';
import { flowCells } from '../terminal/text-table.js';
import { createLoader } from '../loader/create-loader.js';
import { openProject, type OpenedProject } from '../project/open-project.js';
import { ProjectProblems } from '../project/project-problems.js';
import { readableIoEnv, readIoEnv } from '../terminal/read-io-env.js';

/** Runs the command `storage`, `task` or `failed` for the bot in this folder. Resolves with the exit code. */
export async function runOperation(
  name: keyof typeof operations,
  words: readonly string[],
  flags: Parameters<(typeof operations)['storage']>[1] & {
    readonly dev?: boolean;
    readonly mode?: string;
  },
  io: Io,
): Promise<number> {
  const { dev = false } = flags;
  const { mode = dev ? 'development' : 'production' } = flags;
  const [action, file = ''] = words;
  // A built bot has printed the record.
  if (name === 'failed' && action === 'test' && file.endsWith('.json'))
    return saveTest(() => readFileSync(resolve(io.cwd, file), 'utf8'), io, file);
  return operations[name](words, flags, {
    elsewhere: dev ? '' : ' With `--dev`, the command uses the data of `virgule dev`.',
    saveTest: (json) => saveTest(() => json, io),
    redact: io.redact,
    layOutRow: (cells) => flowCells(cells, io.columns),
    stdout: io.stdout,
    stderr: io.stderr,
    interrupt: io.interrupt,
    openStorage: () => openStorage(io, dev, mode),
    readBot: () => readBot(io, mode),
    openScale: async () => (dev ? undefined : openScale(io, mode)),
  });
}

/** Opens the storage named in the settings of the bot. */
async function openStorage(io: Io, dev: boolean, mode: string): Promise<StorageConnection> {
  const root = io.cwd;
  const { problems } = scan(await listProjectFiles(root));
  const missing = problems.find(({ code }) => code === 'E_NO_COMMANDS_FOLDER');
  if (missing) throw missing;
  const env = readableIoEnv(io, mode);
  const settings = await loadSettings({ root, env, redact: io.redact });
  const config = settingsForMode(settings, { mode, root });
  const byDefault = dev ? sqlite({ file: DEVELOPMENT_FILE }) : undefined;
  return connectStorage(config, () => openScale(io, mode), root, byDefault);
}

/** Reads the bot. @throws VirguleError if a file of a task has a problem. */
async function readBot(io: Io, mode: string): Promise<OpenedProject> {
  const loader = createLoader({ root: io.cwd });
  const env = readableIoEnv(io, mode);
  const opening = openProject(io.cwd, loader.importModule, { env, redact: io.redact });
  const opened = await raceAbort(opening, io.interrupt);
  const problems = opened.problems.filter(({ location }) =>
    opened.manifest.tasks.some(({ file }) => location?.file.endsWith(file)),
  );
  if (problems.length > 0) throw new ProjectProblems(problems);
  return opened;
}

/** Connects to the server of the setting `scale`, if the bot has it; the caller closes the connection. */
async function openScale(io: Io, mode: string): Promise<ScaledProcess | undefined> {
  const env = readIoEnv(io, mode);
  const settings = await loadSettings({ root: io.cwd, env, redact: io.redact });
  return openScaled(settingsForMode(settings, { mode, root: io.cwd }), {
    env,
    signal: io.interrupt,
    hide: (texts) => io.redact.hide(texts),
  });
}
