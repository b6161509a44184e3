import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { createLineLog } from '@virgule/runtime/project';
import { startTestBot, type StartTestBotOptions } from './create-test-bot.js';
import type { Io } from '../terminal/io.js';
import { logTextOf } from '../terminal/log-text.js';
import { readIoEnv } from '../terminal/read-io-env.js';

interface OpenBotOptions extends Omit<StartTestBotOptions, 'root' | 'env'> {
  /** Mode whose `.env` files are read. @defaultValue 'development' */
  readonly mode?: string | undefined;
}

/**
 * Starts the bot of the folder on a private simulator, with the clock of this machine; its log goes to stderr.
 * Rejects at Ctrl+C or SIGTERM.
 */
export function openBot(io: Io, { mode = 'development', ...given }: OpenBotOptions = {}) {
  const toText = logTextOf(io);
  const env = readIoEnv(io, mode);
  const log = createLineLog(env['LOG_LEVEL'] ?? 'warn', io.redact, (line) => {
    io.stderr.write(toText(line.trimEnd()));
  });
  const starting = startTestBot({
    root: io.cwd,
    env,
    log,
    clock: systemClock,
    limit: 'none',
    strict: false,
    network: true,
    ...given,
    onWarnings(warnings) {
      for (const { message, hint } of warnings) log.warn({ hint }, message);
    },
  });
  return raceAbort(starting, io.interrupt).catch((error: unknown) => {
    // Code of the project may never finish loading, so the start is not awaited.
    starting.then((late) => late.close()).catch(() => {});
    throw error;
  });
}
