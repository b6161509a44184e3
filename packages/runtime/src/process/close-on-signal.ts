import { formatError } from '@virgule/core/errors';

/**
 * Closes on the first SIGTERM or SIGINT and exits; a second signal ends the process at once. An error of
 * `close` is printed through `redact`.
 */
export function closeOnSignal(
  close: () => Promise<void>,
  redact: (text: string) => string = (text) => text,
): void {
  let closing = false;
  const onSignal = (): void => {
    if (closing) process.exit(130);
    closing = true;
    close().then(
      () => process.exit(),
      (error: unknown) => {
        process.stderr.write(`${redact(formatError(error))}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
