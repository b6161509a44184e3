import { SourceMap, type SourceMapPayload } from 'node:module';

/** A place in a source file; both count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Returns the source of a place in generated code, whose line and column count from 0. */
export type FindSource = (line: number, column: number) => SourcePosition | undefined;

/** Reads a source map, as JSON of esbuild, on first use. */
export function readSourceMap(json: string): FindSource {
  let map: SourceMap | undefined;
  return (line, column) => {
    // esbuild wrote this text a moment ago; its shape is that of every source map.
    map ??= new SourceMap(JSON.parse(json) as SourceMapPayload);
    const entry = map.findEntry(line, column);
    // Before the first mapping Node.js answers with an empty object, after it with the nearest one.
    if (!('originalLine' in entry) || entry.generatedLine !== line) return undefined;
    return { line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  };
}

/** Returns code with its source map at the end, where esbuild and debuggers find it. */
export function withSourceMap(code: string, map: string): string {
  const data = Buffer.from(map).toString('base64');
  // In two parts: tools that read this module would take the whole for its own source map.
  const comment = ['//# source', 'MappingURL=data:application/json;base64,'].join('');
  return `${code}\n${comment}${data}\n`;
}
