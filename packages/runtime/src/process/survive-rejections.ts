/**
 * Keeps the process alive after an unhandled rejection, and reports it: one command's forgotten `await`
 * must not end the others. An uncaught exception still ends the process, since its state is unknown then.
 */
export function surviveRejections(report: (reason: unknown) => void): void {
  process.on('unhandledRejection', report);
}
