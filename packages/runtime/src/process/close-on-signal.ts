import { formatError } from '@virgule/core/errors';

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
