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
