import { join } from 'node:path';
import { createRest, type Rest } from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import { systemClock, systemRandom } from '@virgule/core/clock';
import {
  EXIT_UNUSABLE,
  formatError,
  isVirguleError,
  type VirguleError,
} from '@virgule/core/errors';
import { STATE_FOLDER } from '@virgule/core/fs';
import { isLoopbackUrl, VERSION } from '@virgule/core/net';
import { resolveProfile, type BotMe } from '@virgule/core/protocol';
import { isKept, type Redactor } from '@virgule/core/log';
import { countOf } from '@virgule/core/text';
import { composeBot } from '../bot/compose-bot.js';
import { startBot } from '../bot/start-bot.js';
import { startScaled, type BotProcess } from '../bot/start-scaled.js';
import { createInteractionJournal, INTERACTIONS_FOLDER } from '../command/interaction-journal.js';
import { checkEnv } from '../config/check-env.js';
import { loadConfig, type ResolvedConfig } from '../config/read-config.js';
import { secretsOf } from '../config/secrets-of.js';
import { settingsForMode } from '../config/settings-for-mode.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { readHealthAddress } from '../health/health-address.js';
import type { Health } from '../health/start-health.js';
import type { ModuleExports } from '../load/import-file.js';
import { loadProject, type LoadResult } from '../load/load-project.js';
import { wireCommands } from '../command/define/command.js';
import { traceWork } from '../observe/trace-work.js';
import { readRole, type Scale } from '../scale/scale.js';
import { missingStorage } from '../storage/missing-storage.js';
import { DEVELOPMENT_FILE, sqlite } from '../storage/sqlite-storage.js';
import type { Manifest } from '../scan/scan.js';
import { createLog } from './create-log.js';
import { guardOutput, type GuardedOutput } from './guard-output.js';
import { reachPlatform } from './reach-platform.js';
import { readConnection, readEnv } from './read-env.js';
import { runOperation } from './run-operation.js';
import {
  closeOnSignal,
  endAfterUncaught,
  exitCodeOf,
  logWarnings,
  surviveRejections,
} from './end-process.js';
import { allocateYoung, optimizeWasmLate } from './v8-flags.js';
import { startWatchdog } from './watchdog.js';
import { readStartArguments, startUsage, syncOf } from './start-arguments.js';

/** Options of `runBot`. */
interface RunBotOptions {
  /** Files that `virgule build` found. */
  readonly manifest: Manifest;
  /** Modules of the files in the manifest, by path relative to the root of the project. */
  readonly modules: Readonly<Record<string, ModuleExports>>;
  /** Folder of relative paths of files to send. @defaultValue the working directory */
  readonly root?: string | undefined;
  /** Output guard that removes secrets. @defaultValue a new guard */
  readonly output?: GuardedOutput | undefined;
}

/**
 * Runs a built bot as this process. Reads settings from the environment, `.env` files and the project's configuration, writes
 * log lines to standard output, and shuts down on SIGTERM and SIGINT. Retries until the platform can be reached. The exit code
 * is 78 if the configuration has to be fixed first, such as a refused token, and 1 if a later start may succeed.
 *
 * Flags on the command line: `--mode` selects `.env.<mode>` and a target of the configuration; `--check` loads the files and
 * exits, with 0 if they have no problems; `--help` prints all flags and environment variables; `--sync` registers the commands
 * first, and deletes none without `--allow-delete` or `--allow-delete=name,name`; `--health` serves `/healthz`, `/readyz` and
 * `/metrics`. With `storage`, `task` or `failed` as the first argument, runs that command of `virgule` instead of the bot.
 */
export async function runBot(options: RunBotOptions): Promise<void> {
  const { manifest, modules, root, output = guardOutput() } = options;
  const { redact } = output;
  const clock = systemClock;
  const stopping = new AbortController();
  const failed = new AbortController();
  let isSetUp = false;
  let health: Health | undefined;
  let rest: Rest | undefined;
  let scale: Scale | undefined;
  let starting: Promise<BotProcess> | undefined;
  try {
    const flags = readStartArguments(process.argv.slice(2));
    const ignored: string[] = [];
    const env = readEnv(process.cwd(), flags.mode, process.env, (text) => ignored.push(text));
    const importModule = async (file: string): Promise<ModuleExports> =>
      modules[file] ?? Promise.reject(runtimeErrors.E_BUILD_INCOMPLETE({ file }));
    const settings = await loadConfig(manifest.config, { importModule });
    const { problems: configProblems } = settings;
    const place = { mode: flags.mode, root: process.cwd() };
    const named = settingsForMode(settings.config, place);
    const config = flags.preview ? previewed(named) : named;
    const load = (): Promise<LoadResult> => loadProject(manifest, { importModule, config });
    redact.set(secretsOf(env, settings));
    if (flags.help) {
      process.stdout.write(startUsage(Object.keys(config.env?.shape ?? {})));
      process.exit();
    }
    if (flags.operation) {
      process.exitCode = await runOperation(flags.operation, config, env, redact, load);
      // The files of the bot may have left timers and sockets open.
      process.exit();
    }
    if (flags.check) return await checkBot(await load(), configProblems, redact);
    // Registered before the first `await`, which may never end.
    closeOnSignal(async (signal) => {
      log?.info({ signal }, 'stopping');
      stopping.abort();
      health?.closing();
      await (await starting?.catch(() => null))?.close();
      await health?.close();
      log?.info({}, 'stopped');
    }, redact);
    const problems = [...configProblems];
    const connection = attempt(() => readConnection(env, config, place), problems);
    // A preview has another storage, and registers without asking.
    if (flags.preview && connection && !isLoopbackUrl(connection.baseUrl))
      problems.push(runtimeErrors.E_ARGUMENTS({ kind: 'preview', saw: connection.baseUrl }));
    const level = env['LOG_LEVEL'] || config.log?.level;
    const log = attempt(() => createLog({ level, buffered: true, redact }), problems);
    if (log) logWarnings(log);
    for (const text of ignored) log?.warn({}, text);
    const healthAt = attempt(() => readHealthAddress(flags.health, env), problems);
    const roleName = flags.role ?? (env['BOT_ROLE'] || undefined);
    const role = attempt(() => readRole(roleName, config.scale), problems);
    let me: Promise<BotMe> | undefined;
    if (connection && log) {
      optimizeWasmLate();
      rest = createRest({
        ...connection,
        log,
        profile: config.profile,
        filesRoot: root,
        stateFile: join(STATE_FOLDER, 'limits.json'),
      });
      // Started early, so that the connection is made while the exports of the modules are read.
      const signal = AbortSignal.any([stopping.signal, failed.signal]);
      me = reachPlatform(rest, signal, { clock, random: systemRandom, log });
      me.catch(() => {});
    }
    const loaded = await load();
    const checked = await checkEnv(config.env, env);
    redact.hide(checked.secrets);
    // A gateway runs no handlers.
    const unstored = role === 'gateway' ? [] : await missingStorage(manifest, named);
    problems.splice(configProblems.length, 0, ...loaded.problems, ...checked.problems, ...unstored);
    if (problems.length > 0 || !connection || !log || !rest || !me || !role) {
      fail(problems, EXIT_UNUSABLE, redact);
      failed.abort();
      await rest?.close();
      process.exit();
    }
    isSetUp = true;
    const { commands, events, tasks } = loaded.project;
    const counts = { commands: commands.size, events: events.size, tasks: tasks.size };
    log.info({ version: VERSION, ...counts }, 'starting');
    // Started before the first handler, which may run as soon as the bot is connected.
    startWatchdog({ limitMs: config.watchdogMs, manifest, isLogged: isKept(log, 'error') });
    const [client, reached] = [rest, me];
    let botUserId: string | undefined;
    reached.then((bot) => (botUserId = bot.botUserId)).catch(() => {});

    if (healthAt) {
      // The module is imported only if health is served.
      const { startHealth } = await import('../health/start-health.js');
      health = await startHealth({ ...healthAt, clock, log });
    }
    const tracing = await traceWork(clock, redact);
    ({ scale } = config);
    const start = async () => {
      const opening = scale?.open({
        env,
        applicationId: (await reached).applicationId,
        maxAgeMs: resolveProfile(config.profile).deferredWindowMs,
        clock,
        log,
        wait: flags.wait,
        signal: stopping.signal,
        hide: (texts) => redact.hide(texts),
      });
      const scaled = await (opening && raceAbort(opening, stopping.signal));
      const composed = composeBot(
        {
          ...loaded,
          // A gateway runs no handlers.
          createServices: role === 'gateway' ? null : loaded.createServices,
          manifest,
          config: role === 'gateway' ? { ...config, voice: undefined } : config,
          env: checked,
        },
        {
          rest: client,
          log,
          clock,
          random: systemRandom,
          redact,
          role: role === 'gateway' ? undefined : role,
          // Voice closes the open streams of this bot only, so it needs the user id of the bot.
          platform: config.voice && { ...connection, botUserId: (await reached).botUserId },
          shared: scaled?.stores,
        },
      );
      const { tasks, voice, services } = composed;
      const storage = named.storage && role !== 'gateway' ? composed.storage : undefined;
      health?.needs({ tasks, voice, storage, services });
      const options = {
        ...connection,
        ...composed,
        me: reached,
        backfill: config.backfill,
        gatewayStateFile: join(STATE_FOLDER, 'gateway.json'),
        ...syncOf(flags, loaded.project.commands.size === 0),
        signal: stopping.signal,
        observers: [
          ...(health?.observers ?? []),
          ...(tracing ? [tracing] : []),
          ...(config.observers ?? []),
        ],
        onClosed(error: VirguleError) {
          process.exitCode = exitCodeOf(error, scale);
          // Timers of the project could keep the process alive.
          void Promise.resolve(health?.close()).finally(() => process.exit());
        },
      };
      if (scaled) return startScaled({ ...options, scaled, role });
      const { baseUrl } = connection;
      const place = { folder: INTERACTIONS_FOLDER, baseUrl, botUserId: () => botUserId, log };
      return startBot({ ...options, interactionJournal: createInteractionJournal(place) });
    };
    starting = start();
    const bot = await starting;
    allocateYoung();
    surviveRejections((reason) => bot.unhandledRejection(reason));
    endAfterUncaught(bot);
  } catch (error) {
    // A start that a signal canceled is no failure.
    const isFailure = !stopping.signal.aborted || isVirguleError(error);
    if (isFailure) fail([error], isSetUp ? exitCodeOf(error, scale) : EXIT_UNUSABLE, redact);
    failed.abort();
    await rest?.close();
    await health?.close();
    if (isFailure) process.exit();
  }
}

/**
 * Reports the problems of a loaded bot without starting it, and exits: its files may have left timers and sockets
 * open. A parent process receives the commands of the bot.
 */
async function checkBot(
  { project, problems }: LoadResult,
  wrongConfig: readonly VirguleError[],
  redact: Redactor,
): Promise<void> {
  const all = [...wrongConfig, ...problems];
  if (all.length > 0) {
    fail(all, EXIT_UNUSABLE, redact);
    process.exit();
  }
  // A promise that a file rejects at its top level is reported in this turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  process.stdout.write(`No problems: ${countOf(project.commands.size, 'command')}.\n`);
  const sent = { registered: wireCommands(project) };
  // Awaited, because a long message is not sent at once, and the process ends afterwards.
  if (process.send) await new Promise((resolve) => process.send?.(sent, resolve));
  process.exit();
}

/** Returns the settings for a bot on a simulator. */
const previewed = (config: ResolvedConfig): ResolvedConfig => ({
  ...config,
  scale: undefined,
  storage: config.storage ?? sqlite({ file: DEVELOPMENT_FILE }),
});

/** Returns the result of `read`, or adds its error to `problems`. */
function attempt<T>(read: () => T, problems: VirguleError[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    problems.push(error);
    return undefined;
  }
}

function fail(problems: readonly unknown[], exitCode: number, redact: Redactor): void {
  const text = problems.map((problem) => formatError(problem, { redact })).join('\n\n');
  process.stderr.write(`${text}\n`);
  process.exitCode = exitCode;
}
