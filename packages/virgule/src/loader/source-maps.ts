import { SourceMap, type SourceMapPayload } from 'node:module';

/** Position in a source file; line and column count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the source position of a position in generated code, whose line and column count from 0. */
export type FindSource = (line: number, column: number) => SourcePosition | undefined;

/** Parses a source map, as JSON of esbuild, on first use. */
export function readSourceMap(json: string): FindSource {
  let map: SourceMap | undefined;
  return (line, column) => {
    // esbuild wrote this map a moment ago, so the map has the shape of every source map.
    map ??= new SourceMap(JSON.parse(json) as SourceMapPayload);
    const entry = map.findEntry(line, column);
    // Before the first mapping, Node.js returns an empty object; between mappings, it returns the nearest one.
    if (!('originalLine' in entry) || entry.generatedLine !== line) return undefined;
    return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  };
}

/** Returns code with its source map appended, where esbuild and debuggers find the map. */
export function withSourceMap(code: string, map: string): string {
  const data = Buffer.from(map).toString('base64');
  // Split in two: tools that read this file would take the whole comment for its own source map.
  const comment = ['//# source', 'MappingURL=data:application/json;base64,'].join('');
  return `${code}\n${comment}${data}\n`;
}
