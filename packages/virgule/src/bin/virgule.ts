#!/usr/bin/env node
import { createProcessIo } from '../process/process-io.js';
import { reportEarlyEnd } from '../process/report-early-end.js';
import { run } from '../cli/run.js';

const io = createProcessIo();
const hasEnded = reportEarlyEnd(io);
process.exitCode = await run(process.argv.slice(2), io);
hasEnded();
// The project's own code may have left timers and sockets open. Output that waits is written first.
await Promise.all(
  [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  ),
);
process.exit();
