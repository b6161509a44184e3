import type { Bot } from '../bot/create-bot.js';

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
