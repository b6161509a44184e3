import { pathToFileURL } from 'node:url';
import type { FindSource } from './source-maps.js';
import type { SourcePlace } from './stack-traces.js';

interface Script {
  readonly file: string;
  readonly text: string;
  readonly findSource: FindSource;
}

/** Knows the scripts that were compiled from files, each version under its own name. */
export type ScriptTable = ReturnType<typeof createScriptTable>;

/** Older versions are forgotten; code that still runs in them keeps positions that are not mapped. */
const VERSIONS_KEPT = 4;

/** Versions per file, of all loaders of this process: a name is never used twice. */
const versions = new Map<string, number>();

export function createScriptTable() {
  const scripts = new Map<string, Script>();
  const names = new Map<string, string[]>();

  /** Returns the source of a place in a script; `undefined` for a script of someone else. Both count from 1. */
  function placeIn(name: string, line: number, column: number): SourcePlace | undefined {
    const script = scripts.get(name);
    const position = script?.findSource(line - 1, column - 1);
    return script && position && { file: script.file, text: script.text, ...position };
  }

  return {
    /**
     * Remembers what a script is compiled from, and returns its name: the URL of its file, as for every ES module, with
     * a query from the second version on.
     */
    add(script: Script): string {
      const { file } = script;
      const version = (versions.get(file) ?? 0) + 1;
      versions.set(file, version);
      const url = pathToFileURL(file).href;
      const name = version === 1 ? url : `${url}?v=${version}`;
      const kept = names.get(file) ?? [];
      names.set(file, kept);
      kept.push(name);
      scripts.set(name, script);
      if (kept.length > VERSIONS_KEPT) scripts.delete(kept.shift() ?? '');
      return name;
    },
    /** Returns whether a script was compiled from one of its files. */
    has: (name: string): boolean => scripts.has(name),
    placeIn,
    /** Returns the place of V8's SyntaxError, whose stack begins with the place, the line and a mark below it. */
    syntaxPlace(stack: string): SourcePlace | undefined {
      const [head = '', , mark = ''] = stack.split('\n');
      const colon = head.lastIndexOf(':');
      return placeIn(head.slice(0, colon), Number(head.slice(colon + 1)), mark.indexOf('^') + 1);
    },
  };
}
