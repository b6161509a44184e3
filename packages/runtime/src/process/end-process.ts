import type { Bot } from '../bot/create-bot.js';
import { formatError } from '@virgule/core/errors';

/**
 * Closes on the first SIGTERM, SIGINT or SIGHUP and exits; a second signal ends the process at once. An error of
 * `close` is printed through `redact`.
 */
export function closeOnSignal(
  close: () => Promise<void>,
  redact: (text: string) => string = (text) => text,
): void {
  let closing = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    // A terminal that closes signals a process, and so do its shell and its parent.
    if (closing && signal === 'SIGHUP') return;
    if (closing) process.exit(130);
    closing = true;
    // Nor can anything be written to that terminal, which must not end the handlers that still run.
    if (signal === 'SIGHUP')
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
    close().then(
      () => process.exit(),
      (error: unknown) => {
        process.stderr.write(`${redact(formatError(error))}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/**
 * Keeps the process alive after an unhandled rejection, and reports it: one command's forgotten `await`
 * must not end the others. An uncaught exception still ends the process, since its state is unknown then.
 */
export function surviveRejections(report: (reason: unknown) => void): void {
  process.on('unhandledRejection', report);
}

/**
 * Ends the process after an uncaught exception, with 1, when the bot has answered the commands that it interrupts. A
 * listener of the project decides itself. If something else ends the process, it is reported which commands that interrupts.
 */
export function endAfterUncaught(bot: Pick<Bot, 'uncaughtException' | 'exiting'>): void {
  let isEnding = false;
  process.on('uncaughtException', (error) => {
    if (isEnding || process.listenerCount('uncaughtException') > 1) return;
    isEnding = true;
    void bot.uncaughtException(error).finally(() => process.exit(1));
  });
  // Before the log writes its last lines.
  process.prependListener('exit', () => bot.exiting());
}
