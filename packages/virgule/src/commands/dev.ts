import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { createLog, readEnv, type ConnectionSettings, type Env } from '@virgule/runtime/process';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { withColor } from '../dev/server/child-color.js';
import { createDevOutput } from '../dev/ui/dev-output.js';
import { simulatorPlatform } from '../dev/server/dev-platform.js';
import { startDevServer, type DevServer } from '../dev/server/dev-server.js';
import { EDITOR_NAMES, editorLink } from '../dev/ui/editor-link.js';
import { listenForKeys } from '../dev/ui/listen-for-keys.js';
import { isPrivateHost, sharedAddress } from '../dev/ui/page-address.js';
import { forgetSavedChat, keepChat, readSavedChat } from '../state/saved-chat.js';
import { createSnapshotFiles } from '../state/snapshot-files.js';
import { waitForState } from '../state/state-lock.js';
import type { Arguments } from '../terminal/arguments.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { defineCliCommand } from '../terminal/command.js';
import { FAULTS_FLAG, readFaultsFile } from '../terminal/faults-file.js';
import { freePort } from '../terminal/free-port.js';
import { MODE_FLAG } from '../terminal/help.js';
import { interrupted } from '../terminal/interrupted.js';
import type { Io } from '../terminal/io.js';
import { PROFILE_FLAG, readProfile } from '../terminal/profile-flag.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import { openVoiceReceiver } from '../project/voice-receiver.js';

const flags = {
  port: {
    type: 'port',
    value: 'N',
    about: 'Listen on this port or fail (default: the first free one from 7300)',
  },
  host: {
    type: 'string',
    value: '[=NAME]',
    bare: '0.0.0.0',
    about: 'Allow access from other machines, with a URL that contains a key',
  },
  ...MODE_FLAG,
  open: { type: 'boolean', about: 'Open the chat page in the browser' },
  fresh: { type: 'boolean', about: 'Start with an empty chat' },
  ...FAULTS_FLAG,
  ...PROFILE_FLAG,
  once: {
    type: 'boolean',
    about: 'Start, register and check, then exit: 0 if there are no problems',
  },
  live: { type: 'boolean', about: 'Run on the real platform; registers nothing automatically' },
  inspect: {
    type: 'port',
    value: '[=PORT]',
    bare: '9229',
    about: 'Let a debugger attach to the process of the bot',
  },
  json: { type: 'boolean', about: 'Print one JSON object per line' },
} as const;
type DevFlags = Arguments<typeof flags>['flags'];

export const dev = defineCliCommand({
  name: 'dev',
  words: '',
  about: 'Run the bot on a local simulator with a chat page and hot reload',
  flags,
  examples: [
    'virgule dev',
    'virgule dev --port 7400 --open',
    'virgule dev --inspect',
    'virgule dev --once --json',
    'virgule dev --live',
  ],
  exits: {
    0: 'stopped; with --once: no problems',
    1: 'could not start; with --once: problems; with --live: the connection ended permanently',
  },
  async run({ flags: given }, io) {
    for (const name of ['port', 'host', 'open', 'fresh', 'faults', 'profile'] as const) {
      if (given.live && given[name] !== undefined && given[name] !== false)
        throw cliErrors.E_FLAG_CONFLICT({ command: 'dev', flags: ['--live', `--${name}`] });
    }
    return given.live ? runLive(given, io) : runOnSimulator(given, io);
  },
});

/** Runs on a simulator in this process. Without `--once` it remembers the chat, in a folder that it holds alone. */
async function runOnSimulator(given: DevFlags, io: Io): Promise<number> {
  const profile = readProfile(given.profile);
  const output = createDevOutput(given, io);
  const env = envReader(given, io, output.notice);
  const log = openLog(given, io, output);
  const envFile = `.env.${given.mode}`;
  // A real platform needs a mode that exists; here it selects variables only.
  if (given.mode !== undefined && !existsSync(join(io.cwd, envFile)))
    output.notice(`${envFile} does not exist: no variables for the mode "${given.mode}".`);
  using lock = given.once ? undefined : await takeState(io);
  if (given.fresh) forgetSavedChat(io.cwd);
  const saved = given.once ? undefined : readSavedChat(io.cwd);
  const faults = given.faults === undefined ? undefined : await readFaultsFile(given.faults, io);
  const host = given.host || undefined;
  const accessKey = isPrivateHost(host) ? undefined : randomBytes(18).toString('base64url');

  // With --once the page is not used, and another `dev` may have the usual ports.
  const port = given.port ?? (given.once ? 0 : undefined);
  const simulator = await freePort(
    port,
    (free) =>
      startSimulator({
        port: free,
        host,
        accessKey,
        saved,
        faults,
        profile,
        log,
        editor: accessKey === undefined ? editorOf(io, output.notice) : undefined,
        snapshots: given.once ? undefined : createSnapshotFiles(io.cwd),
        openReceiver: () => openVoiceReceiver(io.cwd),
      }),
    output.notice,
  );
  using _chat = given.once ? undefined : remember(simulator, io, output.notice);
  const shared = sharedAddress({ host, port: simulator.port, accessKey });
  const page = shared ?? simulator.page;
  await using server = await startDevServer({
    ...serverOptions(given, io),
    platform: { ...simulatorPlatform(simulator), page },
    env: () => withColor(env(), io.color && !given.json),
    report: output.report,
    log,
  });
  lock?.announce(simulator.baseUrl);
  if (given.open && !given.once) await output.open(page);
  // Awaited here: what is used above lives until then.
  const exitCode = await serve(server, given, io, { page, output });
  // A `dev` that starts now waits for the end of this one.
  lock?.announce();
  return exitCode;
}

/** Returns the address that opens a file in the editor of the developer. */
function editorOf(io: Io, notice: (text: string) => void): string | undefined {
  const link = editorLink(io.cwd, io.env);
  if (link !== null) return link;
  notice(
    `VIRGULE_EDITOR is ${io.env['VIRGULE_EDITOR']}: use ${EDITOR_NAMES.join(', ')}, none, or an address with {path}.`,
  );
  return undefined;
}

const takeState = ({ cwd: root, interrupt: signal }: Io) =>
  waitForState({ root, signal, clock: systemClock });

async function runLive(given: DevFlags, io: Io): Promise<number> {
  const output = createDevOutput(given, io);
  const env = envReader(given, io, output.notice);
  const log = openLog(given, io, output);
  // Imported here: a simulator needs neither the loader nor a REST client in this process.
  const { openLivePlatform, readLiveConnection } = await import('../dev/server/live-platform.js');
  const connection = await readLiveConnection({
    root: io.cwd,
    env: env(),
    redact: io.redact,
    mode: given.mode ?? 'development',
  });
  using _lock = given.once ? undefined : await takeState(io);
  const platform = await openLivePlatform({ ...connection, log, signal: io.interrupt });
  await using server = await startDevServer({
    ...serverOptions(given, io),
    platform,
    env: () => withColor(env(), io.color && !given.json),
    report: output.report,
    log,
  });
  // Awaited here: what is used above lives until then.
  return await serve(server, given, io, { connection, output });
}

/** Returns a function that reads the environment as it is now, and reports each line that is ignored once. */
function envReader(
  { mode = 'development' }: DevFlags,
  { cwd, env }: Io,
  notice: (text: string) => void,
): () => Env {
  const reported = new Set<string>();
  return () =>
    readEnv(cwd, mode, env, (text) => {
      if (!reported.has(text)) notice(text);
      reported.add(text);
    });
}

/** Opens the log of this process, which runs no code of the project. */
function openLog(
  { mode = 'development' }: DevFlags,
  io: Io,
  { log }: ReturnType<typeof createDevOutput>,
) {
  const { LOG_LEVEL } = readIoEnv(io, mode, () => {});
  // An empty one counts as none, as for a built bot.
  return createLog({ level: LOG_LEVEL || 'warn', destination: log, redact: io.redact });
}

function remember(simulator: Simulator, { cwd: root }: Io, onTrouble: (text: string) => void) {
  const chat = keepChat({ root, simulator, clock: systemClock, onTrouble });
  return { [Symbol.dispose]: () => chat.close() };
}

interface Context {
  /** The address of the chat page. */
  readonly page?: string;
  /** How to reach the real platform. */
  readonly connection?: ConnectionSettings;
  readonly output: ReturnType<typeof createDevOutput>;
}

/** Resolves when it is interrupted, or cannot continue. */
async function serve(
  server: DevServer,
  { once, json }: DevFlags,
  io: Io,
  context: Context,
): Promise<number> {
  if (once) return server.problems.length === 0 ? 0 : 1;
  const quit = new AbortController();
  using _keys =
    io.interactive && !json
      ? listenForKeys({ server, io, ...context, quit: () => quit.abort() })
      : undefined;
  const failure = await Promise.race([
    interrupted(io.interrupt),
    interrupted(quit.signal),
    server.failed,
  ]);
  if (failure) throw failure;
  return 0;
}

/** Returns the options that are the same on every platform. */
function serverOptions({ once, inspect, mode }: DevFlags, { cwd: root, interrupt: signal }: Io) {
  return { root, mode, signal, inspectPort: inspect, watch: once ? null : undefined };
}
