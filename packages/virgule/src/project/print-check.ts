import { raceAbort } from '@virgule/core/abort';
import { createLoader } from '../loader/create-loader.js';
import { createColors } from '../terminal/colors.js';
import type { Io } from '../terminal/io.js';
import { readableIoEnv } from '../terminal/read-io-env.js';
import { checkAsJson, checkProject, describeCheck } from './check-project.js';
import { writeTypes } from './write-types.js';
import { describeRoutes, listRoutes, nameFunctions } from './describe-routes.js';

/** Checks the project of the folder, and prints its problems. Resolves with the exit code of `virgule check`. */
export async function printCheck(
  { routes, json }: { readonly routes?: boolean; readonly json?: boolean },
  io: Io,
): Promise<number> {
  const loader = createLoader({ root: io.cwd });
  const env = readableIoEnv(io, 'development');
  const checking = checkProject(io.cwd, loader.importModule, { env, redact: io.redact });
  const result = await raceAbort(checking, io.interrupt);
  const unwritten = result.opened && writeTypes(io.cwd, result.opened.manifest);
  if (unwritten) io.stderr.write(`! ${unwritten.message}\n`);
  const listed = routes && result.opened ? { routes: listRoutes(result.opened) } : undefined;
  if (json) {
    io.stdout.write(`${JSON.stringify({ ...checkAsJson(result), ...listed }, nameFunctions)}\n`);
  } else {
    const { bold, dim } = createColors(io.color);
    const style = { columns: io.columns, strong: bold, dim };
    if (listed) io.stdout.write(describeRoutes(listed.routes, style));
    io.stdout.write(describeCheck(result, io.color, io.columns));
  }
  return result.errors > 0 ? 1 : 0;
}
