import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Clock } from '@virgule/core/clock';
import { syncCommandItemSchema, type SyncCommandItem } from '@virgule/core/protocol';
import * as z from 'zod';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Bundle } from './bundle.js';
import { ENTRY } from './bundle-graph.js';
import { PACKAGE_PLACE } from './own-modules.js';
import { splitSpecifier } from '../loader/packages.js';
import { ENDS_WITH_PARENT } from '../process/end-with-parent.js';

export interface LoadBuildOptions {
  readonly root: string;
  readonly draft: string;
  readonly bundle: Bundle;
  /** Environment of the process that loads the build. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Aborts the load. */
  readonly signal?: AbortSignal | undefined;
}

/** Time limit for top-level waits of files, in milliseconds. */
const LOAD_TIMEOUT_MS = 60_000;

/** Number of characters that are kept of the last output. */
const MAX_OUTPUT_LENGTH = 2 ** 16;

/** Time limit for the last output of a process that has ended, in milliseconds. */
const LAST_LINES_MS = 500;

/**
 * Source of a program that loads the program of a build and reports its error. With `--check`, a bot loads its files,
 * sends its commands and exits.
 */
const LOADER = `
const [, file] = process.argv;
const report = (error) => {
  const { name, message, stack } = error instanceof Error ? error : { message: String(error) };
  process.send({ thrown: { name, message, stack } }, () => process.exit(1));
};
process.on('uncaughtException', report);
process.on('unhandledRejection', report);
import(file).then(() => process.exit(), report);
`;

const sentSchema = z.object({
  thrown: z
    .object({ name: z.string().optional(), message: z.string(), stack: z.string().optional() })
    .optional(),
  registered: z.array(syncCommandItemSchema).optional(),
});

/**
 * Loads a build in an empty folder that contains only the packages listed by the build, without connecting to any
 * server.
 *
 * @returns the commands as they are registered.
 * @throws VirguleError `E_BUILD_UNLOADABLE`, which names the file that threw.
 */
export async function loadBuild(options: LoadBuildOptions): Promise<readonly SyncCommandItem[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'virgule-build-')));
  try {
    await install(options, join(folder, 'dist'));
    const ended = await load(folder, options);
    if (ended.exitCode === 0 && ended.registered && !ended.thrown) return ended.registered;
    throw describeFailure(ended, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function install({ root, draft, bundle }: LoadBuildOptions, dist: string): Promise<void> {
  const assets = join(draft, 'assets');
  await cp(draft, dist, { recursive: true, filter: (path) => path !== assets });
  // Linked instead of copied: assets may be large, and are only read.
  if (existsSync(assets)) await symlink(assets, join(dist, 'assets'), 'junction');
  for (const [place, { map }] of bundle.outputs) {
    // Refers to the sources at their place, so that an error names them.
    const sourceRoot = pathToFileURL(join(root, 'dist', dirname(place), '/')).href;
    // The build wrote this map a moment ago, so the map is valid JSON.
    const parsed = JSON.parse(Buffer.from(map).toString()) as object;
    await writeFile(join(dist, `${place}.map`), JSON.stringify({ ...parsed, sourceRoot }));
  }
  for (const [name, { folder }] of bundle.leftOut) {
    const link = join(dist, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    if (folder !== undefined) await symlink(folder, link, 'junction');
  }
}

async function load(folder: string, { env, clock, signal }: LoadBuildOptions) {
  const file = pathToFileURL(join(folder, 'dist', ENTRY)).href;
  const flags = [...ENDS_WITH_PARENT, '--enable-source-maps', '-e', LOADER];
  const child = spawn(process.execPath, [...flags, file, '--check'], {
    cwd: folder,
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    signal,
    // Code that blocks the event loop does not notice any other signal.
    killSignal: 'SIGKILL',
  });
  const timer = clock.setTimeout(() => child.kill('SIGKILL'), LOAD_TIMEOUT_MS);
  /** Last part of the output to standard error. */
  let output = '';
  let sent: z.output<typeof sentSchema> = {};
  // Code may print without end, so only the last part is kept.
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT_LENGTH)));
  // Code of the project may send its own messages before the bot sends its commands.
  child.on('message', (message) => {
    const { data } = sentSchema.safeParse(message);
    sent = { ...sent, ...data, thrown: sent.thrown ?? data?.thrown };
  });
  // Remaining child processes may hold the output open.
  child.once('exit', () => clock.setTimeout(() => child.stderr?.destroy(), LAST_LINES_MS));
  try {
    /** Exit code; `null` if the process was ended by a signal. */
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { ...sent, exitCode, output };
  } finally {
    timer.cancel();
  }
}

/** Matches the package that was not found, or whose file was not found. */
const NAMED_PACKAGE = new RegExp(
  String.raw`(?:^Cannot find (?:package|module) '(?![./])|/${PACKAGE_PLACE}/)([^':]+)`,
);

function describeFailure(
  { exitCode, thrown, output }: Awaited<ReturnType<typeof load>>,
  { root, bundle }: LoadBuildOptions,
): Error {
  if (!thrown) {
    const reason =
      exitCode === null
        ? `it did not finish loading in ${LOAD_TIMEOUT_MS / 1_000} s`
        : output.trim() || `a file ended the process with exit code ${exitCode}`;
    return cliErrors.E_BUILD_UNLOADABLE({ reason, output });
  }
  const { name = 'Error', message, stack = '' } = thrown;
  const place = placeIn(stack, root, bundle);
  const thrower = place && bundle.graph.files.get(place.file);
  const importer = thrower && bundle.graph.behind(thrower, (file) => file.isOwn)[0]?.path;
  const [, named] = NAMED_PACKAGE.exec(message) ?? [];
  return cliErrors.E_BUILD_UNLOADABLE(
    {
      reason: `${name}: ${message}`,
      file: place?.file,
      importer: importer === place?.file ? undefined : importer,
      package: named ? splitSpecifier(named).name : thrower?.owner?.name,
      output,
    },
    {
      cause: thrown,
      location:
        place && importer ? (importer === place.file ? place : { file: importer }) : undefined,
    },
  );
}

/** Returns the first place in a stack that is in a file of the bundle. */
function placeIn(stack: string, root: string, { graph }: Bundle) {
  for (const [, url = '', line, column] of stack.matchAll(
    /(file:\/\/[^\s()]+?|\/[^\s()]+?):(\d+):(\d+)/g,
  )) {
    const path = url.startsWith('file:') ? fileURLToPath(url) : url;
    const file = relative(root, path).split(sep).join('/');
    if (graph.files.has(file)) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}
