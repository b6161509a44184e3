import { createRequire } from 'node:module';
import { cliErrors } from '../terminal/cli-errors.js';

/**
 * Makes sure that this package can be loaded at all. It imports nothing that needs zod.
 *
 * @throws VirguleError `E_RUNTIME`.
 */
export function checkRuntime(
  versions = installedVersions(),
  workingDirectory: () => string = () => process.cwd(),
): void {
  try {
    workingDirectory();
  } catch {
    throw cliErrors.E_RUNTIME({
      reason: 'the current folder was deleted or renamed',
      advice: "Change to your bot's folder, such as with `cd`, and run it again.",
    });
  }
  if (versions.bun !== undefined)
    throw cliErrors.E_RUNTIME({
      reason: `Bun ${versions.bun} replaces undici, so that no request is answered`,
      advice:
        'Run it with Node.js: `npx virgule`, or `bun run` without --bun. Built bots run on Bun.',
    });
  const major = Number.parseInt(versions.zod ?? '', 10);
  if (major < 4)
    throw cliErrors.E_RUNTIME({
      reason: `zod ${versions.zod} is installed, and version 4 is required`,
      advice: 'Run `npm install zod@4`.',
    });
}

function installedVersions(): Readonly<Record<'bun' | 'zod', string | undefined>> {
  const { bun } = process.versions;
  try {
    // The zod that this package imports.
    const { version } = createRequire(import.meta.url)('zod/package.json') as { version?: string };
    return { bun, zod: version };
  } catch {
    // Not installed, which the import reports.
    return { bun, zod: undefined };
  }
}
