import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { orUndefined } from '@virgule/core/objects';
import { createRedactor, redactUncaught } from '@virgule/core/log';
import { readConfig } from '../config/read-config.js';
import { secretsOf } from '../config/secrets-of.js';
import type { ModuleExports } from '../load/import-file.js';
import { readEnv, type Env } from './read-env.js';
import { readStartArguments } from './start-arguments.js';

/** Keeps the secrets of a bot out of the output of its process. */
export type GuardedOutput = ReturnType<typeof guardOutput>;

/** Exit code of Node.js when nothing is left that could end a top-level await. */
const EXIT_UNSETTLED = 13;
const UNSETTLED =
  'Error: a file waits at its top level for something that never happens, so the bot does not start. Check each `await` outside of functions.\n';

/**
 * Guards the output of a built bot, whose stacks show the lines of its sources from then on. Called before the project is evaluated: if a file throws, Node.js prints the error and ends
 * the process. Until `settings` is called, every variable that looks like a secret is treated as a secret.
 */
export function guardOutput() {
  showSourcesInStacks();
  // The listener's argument is 0 on Node.js 20.
  process.on('exit', (code) => {
    if ((process.exitCode ?? code) === EXIT_UNSETTLED) process.stderr.write(UNSETTLED);
  });
  let env: Env = process.env;
  try {
    env = readEnv(process.cwd(), readStartArguments(process.argv.slice(2)).mode);
  } catch {
    // A file that cannot be read is reported when the bot starts.
  }
  const redact = createRedactor(secretsOf(env));
  redactUncaught(process, redact);
  return {
    redact,
    /** Sets the secret variables from the exports of the module with the settings. */
    settings(exports: ModuleExports): void {
      redact.set(secretsOf(env, readConfig(exports['default'], { file: '' })));
    },
  };
}

/** Position in the program of a built bot. */
const PROGRAM_POSITION = /(file:\S+\/bot\.mjs):(\d+):(\d+)/;

const UNDICI_CODE = /^UND_ERR/;

/**
 * Shows positions in the program of a built bot as positions in its sources, in every stack that this process reads, except
 * of errors of undici: Node.js reads the stack of an error that ends a socket, also at the end of the process, and for these
 * stacks alone it would parse the map. Has no effect without the source map next to the program. `--enable-source-maps` of
 * Node.js would parse the map at every start.
 */
function showSourcesInStacks(): void {
  if (process.sourceMapsEnabled) return;
  let map: SourceMap | null | undefined;
  const readMap = (program: string): SourceMap => {
    // The bundler wrote this file.
    const text = readFileSync(new URL(`${program}.map`), 'utf8');
    return new SourceMap(JSON.parse(text) as SourceMapPayload);
  };
  const sourceOf = (position: string, program: string, line: string, column: string): string => {
    map ??= orUndefined(() => readMap(program)) ?? null;
    const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return position;
    // A source is relative to the folder of the program; the path in a stack, to the folder of the bot.
    const file = entry.originalSource.replace('../', './');
    return `${file}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  };
  Error.prepareStackTrace = (error, sites) => {
    // The `name` or `message` of an error may be a getter that throws.
    const head = orUndefined(() => Error.prototype.toString.call(error)) ?? '<error>';
    // oxlint-disable-next-line typescript/no-base-to-string -- its type does not mention its method.
    const places = sites.map((site) => site.toString());
    const isOfUndici = UNDICI_CODE.test(String(orUndefined(() => Object(error).code)));
    const frames = isOfUndici
      ? places
      : places.map((place) => place.replace(PROGRAM_POSITION, sourceOf));
    return [head, ...frames.map((frame) => `    at ${frame}`)].join('\n');
  };
}
