import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '@virgule/runtime/errors';
import { envFilesRead, readEnv } from '@virgule/runtime/project';
import { startOnFreePort } from '@virgule/simulator/program';
import { openVoiceReceiver } from '../project/voice-receiver.js';
import { ENDS_WITH_PARENT } from '../process/end-with-parent.js';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { logTextOf } from '../terminal/log-text.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import { BOT_FILE, readBuiltManifest } from './built-manifest.js';

/**
 * Mode of a preview, as in `virgule dev`: a preview does not use the resources in `.env.production`, such as a
 * database.
 */
const PREVIEW_MODE = 'development';

/** Time limit for the last output of a bot that has ended, in milliseconds. */
const LAST_LINES_MS = 500;

/** Flags of `virgule start` that are read here; all others are passed on. */
interface StartFlags {
  readonly mode?: string;
  readonly json?: boolean;
}

/** Flags that the built bot does not accept. */
const OWN_FLAGS = ['preview', 'json', 'cwd'];

export async function startBuilt(flags: StartFlags, io: Io): Promise<number> {
  assertBuilt(io);
  // Checked here too, so that a missing token is reported before a process is started. The addresses may be in the
  // configuration, which is part of the built bot.
  const { mode = 'production' } = flags;
  const { BOT_TOKEN: token } = readEnv(io.cwd, mode, io.env);
  if (!token) throw runtimeErrors.E_TOKEN_MISSING({ mode, files: envFilesRead(io.cwd, mode) });
  await warnIfStale(io);
  return run(io, passedOn(flags), flags);
}

/** Runs the built bot on a simulator with a chat page, and resolves with its exit code. */
export async function previewBuilt(flags: StartFlags, io: Io): Promise<number> {
  assertBuilt(io);
  await warnIfStale(io);
  const { mode = PREVIEW_MODE } = flags;
  // Called for the redactor, and to report unreadable files here. The bot reports ignored lines.
  readIoEnv(io, mode, () => {});
  await using platform = await startOnFreePort(
    { openReceiver: () => openVoiceReceiver(io.cwd) },
    (text) => void io.stderr.write(`${text}\n`),
  );
  // With JSON, stdout is for programs that read the log.
  const notices = flags.json ? io.stderr : io.stdout;
  notices.write(`\n  Preview of dist/bot.mjs\n  Page     ${platform.page}\n\n`);
  const env = {
    ...io.env,
    BOT_TOKEN: platform.token,
    BOT_BASE_URL: platform.baseUrl,
    BOT_GATEWAY_URL: platform.gatewayUrl,
  };
  const args = passedOn({ ...flags, mode, sync: true });
  // Awaited here, because the simulator is closed on return.
  return await run(io, [...args, '--preview'], flags, env);
}

/**
 * Runs the built bot in a separate process and resolves with its exit code; for a killed bot, 128 plus the number of
 * the signal.
 */
async function run(io: Io, args: readonly string[], { json = false }: StartFlags, env = io.env) {
  const { interrupt } = io;
  // Programs read the output outside of a terminal, so it stays unchanged there.
  const isShown = Number.isFinite(io.columns) && !json;
  const child = spawn(process.execPath, [...ENDS_WITH_PARENT, BOT_FILE, ...args], {
    cwd: io.cwd,
    env: isShown && io.color ? { FORCE_COLOR: '1', ...env } : { ...env },
    stdio: ['inherit', isShown ? 'pipe' : 'inherit', 'inherit'],
  });
  if (child.stdout) {
    const toText = logTextOf(io);
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => void io.stdout.write(toText(line)));
  }
  let stop: NodeJS.Signals = 'SIGTERM';
  onAbort(interrupt, () => {
    if (interrupt.reason === 'SIGHUP') stop = 'SIGHUP';
    // A terminal sends Ctrl+C to the child as well, and a second signal would cut the drain short; a second SIGHUP
    // does not.
    if (!(io.terminal && interrupt.reason === 'SIGINT')) child.kill(stop);
  });
  // Remaining child processes may hold the output open.
  child.once('exit', () => systemClock.setTimeout(() => child.stdout?.destroy(), LAST_LINES_MS));
  // Not `exit`, because lines may be left in the pipe.
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  // The bot was stopped before it could react to signals.
  if (interrupt.aborted && signal === stop) return 0;
  return code ?? 128 + constants.signals[signal ?? 'SIGKILL'];
}

/** Checks that there is a built bot. @throws VirguleError `E_BUILD_UNUSABLE`. */
function assertBuilt({ cwd }: Io): void {
  if (!existsSync(join(cwd, BOT_FILE)))
    throw cliErrors.E_BUILD_UNUSABLE({ kind: 'missing', file: BOT_FILE });
}

/**
 * Warns about a build that is older than its sources, or whose manifest is damaged. Prints nothing without sources or
 * without a manifest.
 */
export async function warnIfStale({ cwd, stderr }: Io): Promise<void> {
  try {
    await readBuiltManifest(cwd);
  } catch (error) {
    if (isVirguleError(error, 'E_BUILD_UNUSABLE') && error.details['kind'] !== 'missing')
      stderr.write(`! ${error.message} Run \`virgule build\` to update it.\n`);
  }
}

/** Returns the flags in the form that the built bot accepts. */
function passedOn(flags: object): string[] {
  const given = Object.entries(flags).filter(
    ([name, value]) => !OWN_FLAGS.includes(name) && value !== undefined && value !== false,
  );
  return given.map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${String(value)}`,
  );
}
