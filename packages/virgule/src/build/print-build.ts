import { relative } from 'node:path';
import { raceAbort } from '@virgule/core/abort';
import { settlesWithin, systemClock } from '@virgule/core/clock';
import { draftBuild } from './build-bot.js';
import type { Io } from '../terminal/io.js';
import { countRoutes } from '../terminal/count-routes.js';
import { countOf } from '@virgule/core/text';
import { readableIoEnv } from '../terminal/read-io-env.js';

/** Reasons to report for unchecked types. */
const UNCHECKED: Readonly<Record<string, string>> = {
  'no-tsconfig': 'there is no tsconfig.json',
  'typescript-not-installed': 'TypeScript is not installed',
};

/** Time limit in milliseconds for an interrupted build to delete its draft. */
const CLEAN_UP_MS = 1_000;

/** Builds the bot of the folder, and prints the result. Resolves with the exit code of `virgule build`. */
export async function printBuild(
  flags: { readonly 'no-types'?: boolean; readonly 'no-load'?: boolean; readonly json?: boolean },
  io: Io,
): Promise<number> {
  const signal = io.interrupt;
  const drafting = draftBuild({
    root: io.cwd,
    types: flags['no-types'] !== true,
    load: flags['no-load'] !== true,
    env: readableIoEnv(io, 'production'),
    processEnv: io.env,
    redact: io.redact,
    signal,
  });
  const commit = await raceAbort(drafting, signal).catch(async (error: unknown) => {
    // The interrupted build deletes its own files.
    await settlesWithin(drafting, CLEAN_UP_MS, systemClock);
    throw error;
  });
  // Not interruptible: the commit is short, and half a commit would leave no build.
  const { file, types, ...built } = await commit();
  const path = relative(io.cwd, file);
  const unchecked = UNCHECKED[types];
  if (unchecked !== undefined) io.stderr.write(`Types were not checked: ${unchecked}.\n`);
  if (flags.json) {
    io.stdout.write(`${JSON.stringify({ v: 1, file: path, ...built, types })}\n`);
    return 0;
  }
  const { bytes, assets, dependencies, external, notCopied, warnings } = built;
  const size = `${(bytes / 1_000).toFixed(0)} kB`;
  io.stdout.write(`${path}  ${size}, ${countRoutes(built)}\n`);
  if (assets.length > 0) io.stdout.write(`Copied: ${countOf(assets.length, 'file')}\n`);
  const leftOut = Object.entries(external);
  if (leftOut.length > 0) {
    const list = leftOut.map(([name, why]) => `${name}@${dependencies[name]} (${why})`);
    io.stdout.write(
      `Not bundled: ${list.join(', ')}\nInstall them where the bot runs: npm install --omit=dev --prefix dist\n`,
    );
  }
  for (const path of notCopied) io.stderr.write(`! Not copied: ${path}.\n`);
  for (const warning of warnings) io.stderr.write(`! ${warning}\n`);
  return 0;
}
