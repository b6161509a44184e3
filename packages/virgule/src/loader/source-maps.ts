import { SourceMap, type SourceMapPayload } from 'node:module';
import { HEAD_LINES } from './print-module.js';

/** A place in a source file; both count from 1. */
export interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

/** Finds the source of places in code that was generated in one or two steps. Maps are read on first use. */
export interface ScriptMaps {
  /** Maps `line` and `column` of the code that runs, counted from 1. */
  fromScript(line: number, column: number): SourcePosition | undefined;
  /** Maps `line` and `column` of the code between the two steps, counted from 0. */
  fromStripped(line: number, column: number): SourcePosition | undefined;
}

export interface ScriptMapsOptions {
  /** From the code without types to the source, as JSON. */
  readonly strippedMap: string;
  /** From the code that runs to the code without types below its head line, as JSON. */
  readonly scriptMap: string;
}

export function createScriptMaps({ strippedMap, scriptMap }: ScriptMapsOptions): ScriptMaps {
  let stripped: SourceMap | undefined;
  let script: SourceMap | undefined;
  const fromStripped = (line: number, column: number): SourcePosition | undefined => {
    stripped ??= readMap(strippedMap);
    const found = findEntry(stripped, line, column);
    return found && { line: found.line + 1, column: found.column + 1 };
  };
  return {
    fromStripped,
    fromScript(line, column) {
      script ??= readMap(scriptMap);
      const found = findEntry(script, line - 1, column - 1);
      if (!found || found.line < HEAD_LINES) return undefined;
      return fromStripped(found.line - HEAD_LINES, found.column);
    },
  };
}

function readMap(json: string): SourceMap {
  // esbuild wrote this text a moment ago; its shape is that of every source map.
  return new SourceMap(JSON.parse(json) as SourceMapPayload);
}

/** Finds an entry. All positions are counted from 0. */
function findEntry(
  map: SourceMap,
  line: number,
  column: number,
): { line: number; column: number } | undefined {
  const entry = map.findEntry(line, column);
  // Before the first mapping Node.js answers with an empty object, after it with the nearest one.
  if (!('originalLine' in entry) || entry.generatedLine !== line) return undefined;
  return { line: entry.originalLine, column: entry.originalColumn };
}
