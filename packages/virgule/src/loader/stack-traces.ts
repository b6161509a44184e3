import { SourceMap, type SourceMapPayload } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PACKAGE_FOLDER } from '../package-folder.js';
import { readableError } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import { countOf } from '@virgule/core/text';

/** Returns the source position of a position in generated code, whose line and column count from 0. */
export type FindSource = (
  line: number,
  column: number,
) => Pick<SourcePlace, 'line' | 'column'> | undefined;

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

/** Place in a source file; line and column count from 1. */
export interface SourcePlace {
  readonly line: number;
  readonly column: number;
  /** Absolute path. */
  readonly file: string;
  /** Text of the file from which the code was compiled. */
  readonly text: string;
}

export interface Script {
  readonly file: string;
  readonly text: string;
  readonly findSource: FindSource;
}

/** Number of versions kept per file. Code that still runs in an older version keeps unmapped positions. */
const VERSIONS_KEPT = 4;

/** Version counts per file, of all loaders of this process: a name is never used twice. */
const versions = new Map<string, number>();
/** Scripts of all open tables, by name. */
const scripts = new Map<string, Script>();
let openTables = 0;

/**
 * Creates a table of the scripts that one loader compiles from files, and maps the stacks of this process to the sources: every reader of `error.stack` gets line numbers of
 * the source files. In a stack that contains a compiled script, frames of packages and of Node.js are counted at its end
 * instead of listed. Other stacks stay unchanged.
 */
export function createScriptTable() {
  const names = new Map<string, string[]>();
  openTables += 1;
  if (hook.prepareStackTrace !== prepareStackTrace) {
    before = hook.prepareStackTrace;
    hook.prepareStackTrace = prepareStackTrace;
  }
  return {
    /** Records a script, and returns its name: the URL of the file, with a query from the second version on. */
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
    /** Removes the scripts of this table. */
    close(): void {
      for (const name of [...names.values()].flat()) scripts.delete(name);
      openTables -= 1;
      if (openTables === 0 && hook.prepareStackTrace === prepareStackTrace)
        hook.prepareStackTrace = before;
    },
  };
}

/** Returns the source place of a position, counted from 1; `undefined` for an unknown script. */
function placeIn(name: string, line: number, column: number): SourcePlace | undefined {
  const script = scripts.get(name);
  const position = script?.findSource(line - 1, column - 1);
  return script && position && { file: script.file, text: script.text, ...position };
}

/** Returns the place of V8's SyntaxError, whose stack begins with the place, the line and a mark below it. */
export function syntaxPlace(stack: string): SourcePlace | undefined {
  const [head = '', , mark = ''] = stack.split('\n');
  const colon = head.lastIndexOf(':');
  return placeIn(head.slice(0, colon), Number(head.slice(colon + 1)), mark.indexOf('^') + 1);
}

export interface StackStyle {
  /** Folder to which paths are shown relative, as `./commands/play.ts`. @defaultValue absolute paths */
  readonly relativeTo?: string | undefined;
  /** Replaces frames of packages and of Node.js with their count. @defaultValue `true` */
  readonly folds?: boolean | undefined;
}

/** Throw places of errors whose stack was read. */
const places = new WeakMap<object, SourcePlace>();
let style: StackStyle = {};
type Format = (error: Error, sites: NodeJS.CallSite[]) => unknown;
/** Object on which V8 looks for the function that formats stacks. */
const hook: { prepareStackTrace?: Format | undefined } = Error;
let before: Format | undefined;

/** Sets the style of all stacks that this process formats from now on. */
export const setStackStyle = (next: StackStyle): void => void (style = next);

/** Returns the place in the sources where an error was thrown; `undefined` without a compiled script in its stack. */
export function thrownAt(error: unknown): SourcePlace | undefined {
  if (readableError(error) !== error || !(error instanceof Error)) return undefined;
  // Reading the stack formats it, which records the place.
  void error.stack;
  return places.get(error);
}

/** A frame; without a file, it is outside of files. */
type Frame = ReturnType<typeof frameOf>;

function prepareStackTrace(error: Error, sites: NodeJS.CallSite[]): unknown {
  const isOwn = sites.some((site) => scripts.has(site.getScriptNameOrSourceURL() ?? ''));
  if (isOwn && error instanceof TypeError) error.message = withSourceNames(error.message);
  const formatted: unknown = before ? before(error, sites) : format(error, sites);
  if (typeof formatted !== 'string') return formatted;
  const lines = formatted.split('\n');
  const head = lines.slice(0, lines.length - sites.length);
  const frames = sites.map((site, index) => frameOf(lines[head.length + index] ?? '', site, isOwn));
  const found = frames.flatMap((frame) => frame.place ?? []);
  // esbuild maps the getters of exports, which throw in a circular import, to the start of their file.
  const place = found.find(({ line, column }) => line + column > 2) ?? found[0];
  if (place) places.set(error, place);
  const shown = isOwn && style.folds !== false ? fold(frames) : frames.map(({ text }) => text);
  return [...head, ...shown].join('\n');
}

/** Formats a stack as V8 does. */
function format(error: Error, sites: readonly NodeJS.CallSite[]): string {
  // The `name` or `message` of an error may be a getter that throws.
  const head = orUndefined(() => Error.prototype.toString.call(error)) ?? '<error>';
  // oxlint-disable-next-line typescript/no-base-to-string -- its type does not mention that it has its own.
  return [head, ...sites.map((site) => `    at ${site.toString()}`)].join('\n');
}

/** @param isOwn - True if the stack contains a compiled script; else paths stay as they are. */
function frameOf(text: string, site: NodeJS.CallSite, isOwn: boolean) {
  const script = site.getScriptNameOrSourceURL() ?? undefined;
  if (script === undefined) return { text, file: undefined, place: undefined };
  const [line, column] = [site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0];
  const place = placeIn(script, line, column);
  const file = place?.file ?? (script.startsWith('file:') ? fileURLToPath(script) : script);
  const at = shown(place ?? { file, line, column });
  const shownText = isOwn ? text.replace(`${script}:${line}:${column}`, () => at) : text;
  return { text: shownText, file, place };
}

function shown({ file, line, column }: Omit<SourcePlace, 'text'>): string {
  const { relativeTo } = style;
  const isBelow = relativeTo !== undefined && file.startsWith(relativeTo + path.sep);
  const shownFile = isBelow ? `.${path.sep}${path.relative(relativeTo, file)}` : file;
  return `${shownFile}:${line}:${column}`;
}

/** Lists the frames of the project's code, and counts the other frames by owner. */
function fold(frames: readonly Frame[]): string[] {
  const counts = new Map<string, number>();
  const own: string[] = [];
  for (const { text, file, place } of frames) {
    // The project itself may be below a folder `node_modules`.
    const owner = place ? undefined : ownerOf(file);
    if (owner === undefined) own.push(text);
    else counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  if (counts.size === 0) return own;
  const parts = [...counts].map(
    ([owner, count], index) => `${index > 0 ? count : countOf(count, 'frame')} in ${owner}`,
  );
  return [...own, `    … ${parts.join(', ')}`];
}

/** Folder of this package; in the framework's repository, the folder of all packages. */
const OUR_FOLDER = path.dirname(PACKAGE_FOLDER);
const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** Returns the owner of a frame: a package or Node.js; `undefined` for the project's own code. */
function ownerOf(file: string | undefined): string | undefined {
  if (file === undefined || file.startsWith('node:')) return 'node';
  const name = PACKAGE.exec(file)?.[1]?.replace('\\', '/');
  if (name === undefined) return file.startsWith(OUR_FOLDER) ? 'virgule' : undefined;
  return name.startsWith('@virgule/') ? 'virgule' : name;
}

/** Matches messages of V8 that repeat compiled code. */
const OF_COMPILED_CODE =
  /^(?:\(0 , )?import_\w+\.\S+ is not (?:a function|a constructor|iterable)|^Cannot destructure .*import_\w+\./;

/** Returns a message of V8 without the variables of imports: `greet` for `import_lib.greet`, `lib` for `import_lib.default`. */
const withSourceNames = (message: string): string =>
  OF_COMPILED_CODE.test(message)
    ? message.replaceAll(
        /(?:\(0 , )?\bimport_(\w+)\.([\w$]+)\)?/g,
        (_, file: string, name: string) => (name === 'default' ? file : name),
      )
    : message;
