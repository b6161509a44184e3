import { join } from 'node:path';
import { systemClock, systemRandom } from '@virgule/core/clock';
import { formatError, isVirguleError, type VirguleError } from '@virgule/core/errors';
import { startBot } from '../bot/start-bot.js';
import { checkEnv } from '../config/check-env.js';
import { loadConfig } from '../config/load-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { loadProject, type ModuleExports } from '../load/load-project.js';
import type { Manifest } from '../scan/scan.js';
import { createServices } from '../services/create-services.js';
import { createLog } from './create-log.js';
import { readConnection, readEnv } from './read-env.js';
import { createRedactor } from './redactor.js';

export interface RunBotOptions {
  /** What `virgule build` found. */
  readonly manifest: Manifest;
  /** The modules of the manifest's files, by path from the project's root. */
  readonly modules: Readonly<Record<string, ModuleExports>>;
}

/**
 * Runs a built bot as this process: settings from the environment, `.env` files and the project's
 * configuration, log lines on standard output, a clean end on SIGTERM and SIGINT, exit code 1 when it
 * cannot start or may not go on. `--sync` on the command line registers the commands first, without
 * deleting any.
 */
export async function runBot({ manifest, modules }: RunBotOptions): Promise<void> {
  let isStopping = false;
  try {
    const env = readEnv(process.cwd(), 'production');
    const importModule = async (file: string): Promise<ModuleExports> =>
      modules[file] ?? Promise.reject(runtimeErrors.E_BUILD_INCOMPLETE({ file }));
    const { config, problems: wrongConfig } = await loadConfig(manifest.config, { importModule });
    const loaded = await loadProject(manifest, { importModule, config });
    const checked = await checkEnv(config.env, env);
    const problems = [...wrongConfig, ...loaded.problems, ...checked.problems];
    const connection = attempt(() => readConnection(env, config), problems);
    const log = attempt(() => createLog({ level: env['LOG_LEVEL'] }), problems);
    if (problems.length > 0 || !connection || !log) return fail(problems);

    const hidden = [connection.token, ...checked.secrets];
    log.hide?.(hidden);
    const services =
      loaded.createServices && manifest.services !== null
        ? createServices({
            create: loaded.createServices,
            file: manifest.services,
            env: checked.values,
            log,
            clock: systemClock,
            random: systemRandom,
            redact: createRedactor(hidden),
          })
        : undefined;
    const starting = startBot({
      ...connection,
      project: loaded.project,
      services,
      env: checked.values,
      profile: config.profile,
      texts: config.texts,
      drainMs: config.drainMs,
      log,
      gatewayStateFile: join('.virgule', 'gateway.json'),
      sync: process.argv.includes('--sync') ? 'apply' : 'check',
      onClosed: () => {
        process.exitCode = 1;
      },
    });
    let isMade = services === undefined;
    services?.created.then(
      () => void (isMade = true),
      () => {},
    );
    // Before the start has ended: a signal that comes meanwhile must not cut it off half-way.
    closeOnSignal(async () => {
      isStopping = true;
      // What services wait for may never come.
      if (!isMade) await services?.close();
      await (await starting.catch(() => null))?.close();
    });
    const bot = await starting;
    surviveRejections((reason) => bot.unhandledRejection(reason));
  } catch (error) {
    // Services that were given up because of the signal are no failure.
    if (!isStopping || isVirguleError(error)) fail([error]);
  }
}

/** Collects a problem instead of ending at it. */
function attempt<T>(read: () => T, problems: VirguleError[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    problems.push(error);
    return undefined;
  }
}

function fail(problems: readonly unknown[]): void {
  process.stderr.write(`${problems.map((problem) => formatError(problem)).join('\n\n')}\n`);
  process.exitCode = 1;
}

/**
 * Lets the process live on when a promise is rejected that nobody waits for, and has it told. One
 * command's forgotten `await` must not end the others; an exception that nobody catches still ends the
 * process, since nobody knows what it left half-done.
 */
export function surviveRejections(tell: (reason: unknown) => void): void {
  process.on('unhandledRejection', tell);
}

/** Closes on the first SIGTERM or SIGINT and exits; a second signal ends the process at once. */
export function closeOnSignal(close: () => Promise<void>): void {
  let closing = false;
  const onSignal = (): void => {
    if (closing) process.exit(130);
    closing = true;
    close().then(
      () => process.exit(),
      (error: unknown) => {
        process.stderr.write(`${formatError(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
