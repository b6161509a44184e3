import type { Bot } from '../bot/running-bot.js';
import { EXIT_UNUSABLE, formatError, isVirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { Scale } from '../scale/scale.js';

/**
 * Calls `close` on the first SIGTERM, SIGINT or SIGHUP, and exits; a second signal ends the process at once. An error
 * of `close` is printed after `redact` has removed secrets.
 */
export function closeOnSignal(
  close: (signal: NodeJS.Signals) => Promise<void>,
  redact: (text: string) => string = (text) => text,
): void {
  let closing = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    // A closing terminal may cause several signals: from itself, from the shell and from the parent process.
    if (closing && signal === 'SIGHUP') return;
    if (closing) process.exit(130);
    closing = true;
    // Writes to the closed terminal fail, and these errors must not end handlers that still run.
    if (signal === 'SIGHUP')
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    close(signal).then(
      () => process.exit(),
      (error: unknown) => {
        process.stderr.write(`${formatError(error, { redact })}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/**
 * Keeps the process alive after an unhandled rejection, and reports the rejection: a forgotten `await` in one
 * command must not end the others. An uncaught exception still ends the process, whose state is unknown then.
 */
export function surviveRejections(report: (reason: unknown) => void): void {
  process.on('unhandledRejection', report);
}

/**
 * Logs the warnings of Node.js and packages, instead of the plain text that Node.js prints. With `--no-warnings`,
 * Node.js prints none, and none is logged.
 */
export function logWarnings(log: Log): void {
  const print = process.listeners('warning').find(({ name }) => name === 'onWarning');
  if (!print) return;
  process.off('warning', print);
  process.on('warning', (err) => {
    if (err.name !== 'DeprecationWarning' || !process.noDeprecation)
      log.warn({ err }, 'warning of Node.js or a package');
  });
}

/**
 * Ends the process with exit code 1 after an uncaught exception, when the bot has answered the interrupted commands. If
 * the project has a listener for uncaught exceptions, the listener decides. If other code ends the process, the
 * interrupted commands are logged.
 */
export function endAfterUncaught(bot: Pick<Bot, 'uncaughtException' | 'exiting'>): void {
  let isEnding = false;
  process.on('uncaughtException', (error) => {
    if (isEnding || process.listenerCount('uncaughtException') > 1) return;
    isEnding = true;
    void bot.uncaughtException(error).finally(() => process.exit(1));
  });
  // Runs before the log writes its last lines.
  process.prependListener('exit', () => bot.exiting());
}

/** Returns the exit code of a bot that an error ended: 1 if another start may succeed, such as after an outage of the platform. */
export const exitCodeOf = (error: unknown, scale: Scale | undefined): number =>
  isVirguleError(error, 'E_UNAUTHORIZED') ||
  isVirguleError(error, 'E_BAD_ADDRESS') ||
  scale?.isUnusable?.(error)
    ? EXIT_UNUSABLE
    : 1;
