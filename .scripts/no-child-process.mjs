// Setup file of the unit project, whose tests start no programs: those that do are in `*.integration.test.ts`.
import { subscribe } from 'node:diagnostics_channel';

subscribe('child_process', ({ process: { spawnargs } }) => {
  // The service of esbuild, which the loader starts.
  if (spawnargs?.some((argument) => argument.startsWith('--service='))) return;
  throw new Error(
    `A unit test started "${spawnargs?.join(' ')}". Rename its file to *.integration.test.ts.`,
  );
});
