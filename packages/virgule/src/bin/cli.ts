import { Writable } from 'node:stream';
import { formatError } from '@virgule/core/errors';
import { checkRuntime } from '../process/check-runtime.js';
import { createProcessIo } from '../process/process-io.js';
import { reportEarlyEnd } from '../process/report-early-end.js';

/** Runs the command line of this process, and exits. @param keepCode - See `Io`. */
export async function main(keepCode?: () => void): Promise<void> {
  try {
    checkRuntime();
  } catch (error) {
    process.stderr.write(`${formatError(error)}\n`);
    process.exit(1);
  }
  // Imported after the check: the import itself throws with an unsupported version of zod.
  const { run } = await import('../commands/command-line.js');
  const io = createProcessIo(keepCode);
  const hasEnded = reportEarlyEnd(io);
  process.exitCode = await run(process.argv.slice(2), io);
  hasEnded();
  // Unhandled rejections are reported after a turn of the event loop.
  await new Promise((done) => void setImmediate(done));
  // Exits although the project's own code may have left timers and sockets open. Pending output is written first.
  await Promise.all(
    [process.stdout, process.stderr].map(
      // Not `stream.write`, which the project's code may have replaced.
      (stream) =>
        new Promise<void>((done) =>
          Writable.prototype.write.call(stream, '', 'utf8', () => done()),
        ),
    ),
  );
  process.exit();
}
