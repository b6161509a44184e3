// Setup file of the unit project, whose tests start no programs: those that do are in `*.integration.test.ts`.
import { subscribe } from 'node:diagnostics_channel';

subscribe('child_process', ({ process: child }) => {
  const error = new Error(
    'A unit test started a program. Rename its file to *.integration.test.ts.',
  );
  // The message is published before the arguments are set, so they are read afterwards.
  queueMicrotask(() => {
    const { spawnargs = [] } = child;
    // The service of esbuild, which the loader starts.
    if (spawnargs.some((argument) => argument.startsWith('--service='))) return;
    error.message = `A unit test started "${spawnargs.join(' ')}". Rename its file to *.integration.test.ts.`;
    throw error;
  });
});
