import { join } from 'node:path';
import { formatError } from '@virgule/core/errors';
import { startBot } from '../bot/start-bot.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { loadProject, type ModuleExports } from '../load/load-project.js';
import type { Manifest } from '../scan/scan.js';
import { createLog } from './create-log.js';
import { readConnection, readEnv } from './read-env.js';

export interface RunBotOptions {
  /** What `virgule build` found. */
  readonly manifest: Manifest;
  /** The modules of the manifest's files, by path from the project's root. */
  readonly modules: Readonly<Record<string, ModuleExports>>;
}

/**
 * Runs a built bot as this process: settings from the environment and `.env` files, log lines on
 * standard output, a clean end on SIGTERM and SIGINT, exit code 1 when it cannot start or may not go on.
 * `--sync` on the command line registers the commands first, without deleting any.
 */
export async function runBot({ manifest, modules }: RunBotOptions): Promise<void> {
  try {
    const env = readEnv(process.cwd(), 'production');
    const connection = readConnection(env);
    const log = createLog({ level: env['LOG_LEVEL'] });
    const { project, problems } = await loadProject(manifest, {
      importModule: async (file) =>
        modules[file] ?? Promise.reject(runtimeErrors.E_BUILD_INCOMPLETE({ file })),
    });
    if (problems[0]) throw problems[0];
    const starting = startBot({
      ...connection,
      project,
      log,
      gatewayStateFile: join('.virgule', 'gateway.json'),
      sync: process.argv.includes('--sync') ? 'apply' : 'check',
      onClosed: () => {
        process.exitCode = 1;
      },
    });
    // Before the start has ended: a signal that comes meanwhile must not cut it off half-way.
    closeOnSignal(async () => (await starting.catch(() => null))?.close());
    await starting;
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`);
    process.exitCode = 1;
  }
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
