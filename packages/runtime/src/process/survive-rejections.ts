/**
 * Lets the process live on when a promise is rejected that nobody waits for, and has it told. One
 * command's forgotten `await` must not end the others; an exception that nobody catches still ends the
 * process, since nobody knows what it left half-done.
 */
export function surviveRejections(tell: (reason: unknown) => void): void {
  process.on('unhandledRejection', tell);
}
