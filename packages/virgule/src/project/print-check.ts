import { raceAbort } from '@virgule/core/abort';
import { createLoader } from '../loader/create-loader.js';
import { createColors } from '../terminal/colors.js';
import type { Io } from '../terminal/io.js';
import { readableIoEnv } from '../terminal/read-io-env.js';
import { checkAsJson, checkProject, describeCheck } from './check-project.js';
import { writeTypes } from './write-types.js';
import { describeRoutes, routesAsJson } from './describe-routes.js';

/** Checks the project of the folder, and prints its problems. Resolves with the exit code of `virgule check`. */
export async function printCheck(
  { routes, json }: { readonly routes?: boolean; readonly json?: boolean },
  io: Io,
): Promise<number> {
  const loader = createLoader({ root: io.cwd });
  const env = readableIoEnv(io, 'development');
  const result = await raceAbort(
    checkProject(io.cwd, loader.importModule, { env, redact: io.redact }),
    io.interrupt,
  );
  const unwritten = result.opened && writeTypes(io.cwd, result.opened.manifest);
  if (unwritten) io.stderr.write(`! ${unwritten.message}\n`);
  const opened = routes ? result.opened : null;
  if (json) {
    const listed = opened === null ? {} : { routes: routesAsJson(opened) };
    io.stdout.write(`${JSON.stringify({ ...checkAsJson(result), ...listed })}\n`);
  } else {
    const { bold, dim } = createColors(io.color);
    const style = { columns: io.columns, strong: bold, dim };
    if (opened !== null) io.stdout.write(describeRoutes(opened, style));
    io.stdout.write(describeCheck(result, io.color));
  }
  return result.errors > 0 ? 1 : 0;
}
