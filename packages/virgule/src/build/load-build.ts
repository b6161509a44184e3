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
  /** The project's folder. */
  readonly root: string;
  /** The folder that holds the build. */
  readonly draft: string;
  readonly bundle: Bundle;
  /** The environment to load it in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Files that wait for something at their top level are given up after this long, in milliseconds. */
const LOAD_TIMEOUT_MS = 60_000;

/** How much of what it printed last is kept, in characters. */
const MAX_OUTPUT_LENGTH = 2 ** 16;

/** How long the last lines of a process that ended may take to arrive, in milliseconds. */
const LAST_LINES_MS = 500;

/** Loads the program of a build and reports what it throws. With `--check` a bot loads its files, sends its commands and exits. */
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
 * Loads a build in an empty folder, where only the packages that it lists are installed, without connecting to anything.
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
  // They may be large, and are only read.
  if (existsSync(assets)) await symlink(assets, join(dist, 'assets'), 'junction');
  for (const [place, { map }] of bundle.outputs) {
    // The sources are where they were: an error then names them.
    const sourceRoot = pathToFileURL(join(root, 'dist', dirname(place), '/')).href;
    // The build wrote it a moment ago.
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
    // Code that never returns to its event loop does not notice another one.
    killSignal: 'SIGKILL',
  });
  const timer = clock.setTimeout(() => child.kill('SIGKILL'), LOAD_TIMEOUT_MS);
  /** The last of what it wrote to standard error. */
  let output = '';
  let sent: z.output<typeof sentSchema> = {};
  // Code may print without end.
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (chunk: string) => (output = (output + chunk).slice(-MAX_OUTPUT_LENGTH)));
  // Code of the project may send messages of its own, before the bot sends its commands.
  child.on('message', (message) => {
    const { data } = sentSchema.safeParse(message);
    sent = { ...sent, ...data, thrown: sent.thrown ?? data?.thrown };
  });
  // Processes that it leaves behind may hold its output open.
  child.once('exit', () => clock.setTimeout(() => child.stderr?.destroy(), LAST_LINES_MS));
  try {
    /** `null` if it was ended by a signal. */
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return { ...sent, exitCode, output };
  } finally {
    timer.cancel();
  }
}

/** Matches the package that was not found, or the one whose file was not found. */
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
