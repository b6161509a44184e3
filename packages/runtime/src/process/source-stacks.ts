import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { orUndefined } from '@virgule/core/objects';

/** Position in the program of a built bot. */
const PROGRAM_POSITION = /(file:\S+\/bot\.mjs):(\d+):(\d+)/;

const UNDICI_CODE = /^UND_ERR/;

/**
 * Shows positions in the program of a built bot as positions in its sources, in every stack that this process reads, except
 * of errors of undici: Node.js reads the stack of an error that ends a socket, also at the end of the process, and for these
 * stacks alone it would parse the map. Has no effect without the source map next to the program. `--enable-source-maps` of
 * Node.js would parse the map at every start.
 */
export function showSourcesInStacks(): void {
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
