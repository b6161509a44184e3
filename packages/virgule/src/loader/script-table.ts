import type { ScriptMaps, SourcePosition } from './source-maps.js';

/** A place in a file; `line` and `column` count from 1. */
interface StackPlace extends SourcePosition {
  readonly file: string;
  /** The text of the file as it was when the script was made from it. */
  readonly text: string;
}

interface Script {
  readonly file: string;
  readonly text: string;
  readonly maps: ScriptMaps;
}

/** Knows the scripts that were made from files, each version under a name of its own. */
export interface ScriptTable {
  /** Gives the next version of `file` a name. The first one is the path itself. */
  nameFor(file: string): string;
  /** Remembers what a script was made from. */
  set(name: string, script: Script): void;
  /** Writes the source positions of known scripts into a stack. Other lines stay as they are. */
  mapStack(stack: string): string;
  /** The source position of the first line of a stack that lies in a known script. */
  firstPlace(stack: string): StackPlace | undefined;
  /** The same for V8's SyntaxError, whose stack begins with the place, the line and a mark below it. */
  syntaxPlace(stack: string): StackPlace | undefined;
}

/** Older versions are forgotten; code that still runs in them keeps unmapped positions. */
const VERSIONS_KEPT = 4;

export function createScriptTable(): ScriptTable {
  const scripts = new Map<string, Script>();
  const versions = new Map<string, { count: number; names: string[] }>();

  /** Splits a line of a stack into what is before the script's name, the place, and the rest. */
  function read(line: string): { head: string; place: StackPlace; tail: string } | undefined {
    const numbers = /:(\d+):(\d+)\)?$/.exec(line);
    if (!numbers || !line.trimStart().startsWith('at ')) return undefined;
    const before = line.slice(0, numbers.index);
    const start = startOfPath(before);
    const place = placeIn(before.slice(start), Number(numbers[1]), Number(numbers[2]));
    return place && { head: before.slice(0, start), place, tail: line.endsWith(')') ? ')' : '' };
  }

  function placeIn(name: string, line: number, column: number): StackPlace | undefined {
    const script = scripts.get(name);
    const position = script?.maps.fromScript(line, column);
    return script && position && { file: script.file, text: script.text, ...position };
  }

  /** A path may hold blanks and brackets, so the known names decide where it starts. */
  function startOfPath(text: string): number {
    for (let start = 0; start < text.length; start += 1) {
      if (scripts.has(text.slice(start))) return start;
    }
    return text.length;
  }

  return {
    nameFor(file) {
      const known = versions.get(file) ?? { count: 0, names: [] };
      versions.set(file, known);
      known.count += 1;
      const name = known.count === 1 ? file : `${file}?v=${known.count}`;
      known.names.push(name);
      if (known.names.length > VERSIONS_KEPT) scripts.delete(known.names.shift() ?? '');
      return name;
    },
    set: (name, script) => void scripts.set(name, script),
    mapStack: (stack) =>
      stack
        .split('\n')
        .map((line) => {
          const found = read(line);
          if (!found) return line;
          const { file, line: number, column } = found.place;
          return `${found.head}${file}:${number}:${column}${found.tail}`;
        })
        .join('\n'),
    firstPlace(stack) {
      for (const line of stack.split('\n')) {
        const found = read(line);
        if (found) return found.place;
      }
      return undefined;
    },
    syntaxPlace(stack) {
      const [head = '', , mark = ''] = stack.split('\n');
      const colon = head.lastIndexOf(':');
      return placeIn(head.slice(0, colon), Number(head.slice(colon + 1)), mark.indexOf('^') + 1);
    },
  };
}
