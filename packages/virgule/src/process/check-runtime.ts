import { createRequire } from 'node:module';
import { orUndefined } from '@virgule/core/objects';
import { cliErrors } from '../terminal/cli-errors.js';

/** Checks whether this package can be loaded, without zod. @throws VirguleError `E_RUNTIME`. */
export function checkRuntime(
  versions = installedVersions(),
  workingDirectory: () => string = () => process.cwd(),
): void {
  const refuse = (reason: string, advice: string): never => {
    throw cliErrors.E_RUNTIME({ reason, advice });
  };
  const { bun, zod } = versions;
  if (orUndefined(workingDirectory) === undefined)
    refuse(
      'the current folder was deleted or renamed',
      "Change to your bot's folder, such as with `cd`, and run it again.",
    );
  if (bun !== undefined)
    refuse(
      `Bun ${bun} replaces undici, so that no request is answered`,
      'Run it with Node.js: `npx virgule`, or `bun run` without --bun. Built bots run on Bun.',
    );
  if (Number.parseInt(zod ?? '', 10) < 4)
    refuse(`zod ${zod} is installed, and version 4 is required`, 'Run `npm install zod@4`.');
}

function installedVersions(): Readonly<Record<'bun' | 'zod', string | undefined>> {
  const require = createRequire(import.meta.url);
  // Reads the version of the zod that this package imports. The import itself reports a missing zod.
  const zod = orUndefined(() => require('zod/package.json') as { readonly version?: string });
  return { bun: process.versions.bun, zod: zod?.version };
}
