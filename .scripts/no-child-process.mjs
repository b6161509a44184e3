// Runs before the files of the unit project, which starts no programs: those that do are `*.integration.test.ts`.
import { subscribe } from 'node:diagnostics_channel';

subscribe('child_process', ({ process: { spawnargs } }) => {
  // The compiler's own service, which the loader starts.
  if (spawnargs?.some((argument) => argument.startsWith('--service='))) return;
  throw new Error(
    `A unit test started "${spawnargs?.join(' ')}". Rename its file to *.integration.test.ts.`,
  );
});
