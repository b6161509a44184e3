import { parse, type Export } from 'es-module-lexer';

/** Position in generated code; line and column count from 0. */
interface CodePosition {
  readonly line: number;
  readonly column: number;
}

/** Name that an import statement imports. */
export interface ImportedName {
  /** Name in the other module; `default`, or `*` for the whole namespace. */
  readonly imported: string;
  /** Name in this module. */
  readonly local: string;
}

/** All static imports of one module from another. */
interface ImportRequest {
  readonly specifier: string;
  /** Imported names, as spelled in both modules. */
  readonly names: readonly ImportedName[];
  /** Position of the first import of this specifier. */
  readonly position: CodePosition;
}

interface Reexport {
  readonly specifier: string;
  /** Name in the other module; `*` for its namespace. */
  readonly imported: string;
}

/** Dynamic import: `import()`. */
interface DynamicImport {
  /** Specifier; `undefined` when the argument is not a plain string. */
  readonly specifier: string | undefined;
  readonly position: CodePosition;
}

/** Facts known about a module before it runs. */
export interface ModuleShape {
  readonly requests: readonly ImportRequest[];
  /** Names of the module's own exports. */
  readonly localExports: ReadonlySet<string>;
  readonly reexports: ReadonlyMap<string, Reexport>;
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  readonly dynamic: readonly DynamicImport[];
}

/** Parts of a module, ready to be printed in another form. */
export interface ModuleParts extends ModuleShape {
  /**
   * Code with blanks in place of its import statements, and with `importName` and `metaName` in place of `import` of
   * `import(` and `import.meta`. Every character keeps its line and column.
   */
  readonly body: string;
  /** Start of the single export clause at the end of `body`; -1 when nothing is exported. */
  readonly exportStart: number;
  /** Names inside the module by exported name. */
  readonly exportedLocals: ReadonlyMap<string, string>;
  /** Free identifier that replaces dynamic import. */
  readonly importName: string;
  /** Free identifier that replaces `import.meta`. */
  readonly metaName: string;
  /** Free identifier for a function in the asynchronous form. */
  readonly runName: string;
}

/**
 * Parses a module. `code` must be the output of esbuild for `format: 'esm'`: import statements for used names, and
 * one export clause at the end. The lexer must have been initialized.
 */
export function readModule(code: string): ModuleParts {
  const [imports, exports] = parse(code);
  const importName = freeName(code, 'import'.length, '$load');
  const metaName = freeName(code, 'import.meta'.length, 'import_meta');
  const stars: string[] = [];
  const dynamic: DynamicImport[] = [];
  const requests = new Map<string, ImportRequest & { readonly names: ImportedName[] }>();
  const edits: Edit[] = [];
  if (code.startsWith('#!')) edits.push(blank(code, 0, code.indexOf('\n')));

  for (const found of imports) {
    if (found.type === 'import-meta') {
      edits.push({ start: found.start, end: found.end, text: metaName });
    } else if (found.type === 'dynamic') {
      const { specifier, glob, start, importStart } = found;
      edits.push({ start: importStart, end: importStart + importName.length, text: importName });
      dynamic.push({ specifier: glob ? undefined : specifier, position: positionAt(code, start) });
    } else {
      const { specifier, start, importStart, importEnd } = found;
      const known = requests.get(specifier);
      const request = known ?? { specifier, names: [], position: positionAt(code, start) };
      requests.set(specifier, request);
      if (found.type === 'reexport-star') stars.push(specifier);
      else request.names.push(...parseImportClause(code.slice(importStart, importEnd)));
      edits.push(blank(code, importStart, importEnd));
    }
  }

  return {
    requests: [...requests.values()],
    stars,
    dynamic,
    ...readExports(exports, requests),
    body: applyEdits(code, edits),
    importName,
    metaName,
    runName: freeName(code, 'virgule_run'.length, 'virgule_run'),
  };
}

function readExports(exports: readonly Export[], requests: ReadonlyMap<string, ImportRequest>) {
  const localExports = new Set<string>();
  const reexports = new Map<string, Reexport>();
  const exportedLocals = new Map<string, string>();
  let exportStart = -1;
  for (const found of exports) {
    if (found.type === 'reexport-all') continue;
    exportStart = found.exportStart;
    if (found.type === 'direct') {
      localExports.add(found.name);
      exportedLocals.set(found.name, found.localName ?? found.name);
    } else {
      const imported = found.importName ?? '*';
      reexports.set(found.name, { specifier: found.from, imported });
      const binding = requests.get(found.from)?.names.find((name) => name.imported === imported);
      if (binding) exportedLocals.set(found.name, binding.local);
    }
  }
  return { localExports, reexports, exportedLocals, exportStart };
}

/** Range of a text and its replacement. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces a range with blanks and keeps its line breaks. */
function blank(code: string, start: number, end: number): Edit {
  const lines = code.slice(start, end).split('\n');
  return { start, end, text: lines.map((line) => ' '.repeat(line.length)).join('\n') };
}

/** Returns a text with its ranges replaced, given in any order; ranges must not overlap. */
function applyEdits(code: string, edits: readonly Edit[]): string {
  let result = '';
  let done = 0;
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    result += code.slice(done, start) + text;
    done = end;
  }
  return result + code.slice(done);
}

/** Returns an identifier of exactly `length` characters that `code` does not contain. */
function freeName(code: string, length: number, wanted: string): string {
  let name = wanted.padEnd(length, '_');
  for (let attempt = 0; code.includes(name); attempt += 1)
    name = `$${attempt.toString(36).padStart(length - 1, '_')}`;
  return name;
}

function positionAt(code: string, offset: number): CodePosition {
  const before = code.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, column: offset - lineStart };
}

/** Matches a default import, then a namespace or the names in braces. Quoted names may contain any character. */
const CLAUSE =
  /^import\s*([^\s"'{*,]+)?[\s,]*(?:\*\s*as\s+(\S+)|\{((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'}])*)\})?/;
const NAME = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"',]+)(?:\s+as\s+([^\s,]+))?/g;

/**
 * Reads the names of one import statement, such as `import a, { b as c } from "d"`. The statement must be valid
 * JavaScript without comments between its tokens, as esbuild prints it.
 */
export function parseImportClause(statement: string): ImportedName[] {
  const [, whole, namespace, named = ''] = CLAUSE.exec(statement) ?? [];
  const names: ImportedName[] = [];
  if (whole) names.push({ imported: 'default', local: whole });
  if (namespace) names.push({ imported: '*', local: namespace });
  for (const [, name = '', local = name] of named.matchAll(NAME))
    names.push({ imported: unquote(name), local });
  return names;
}

function unquote(token: string): string {
  if (!/^["']/.test(token)) return token;
  const inner = token.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  // In esbuild's output, a name with escapes is a JSON string.
  const value: unknown = JSON.parse(`"${inner}"`);
  return String(value);
}

/** Number of lines that `printModule` adds before the module's own first line. */
export const HEAD_LINES = 1;

/** Prefix of the specifiers of static imports, which distinguishes them from a `require` in user code. */
const REQUEST_PREFIX = 'import:';

/** Returns the name under which an import view contains the export `imported`. */
export function viewName(imported: string): string {
  // esbuild treats an import of `default` or of a namespace as CommonJS interop and would copy the module; under
  // other names, such imports are plain live bindings.
  return imported === 'default' || imported === '*' ? `virgule:${imported}` : imported;
}

const requestOf = (specifier: string): string => REQUEST_PREFIX + specifier;

/** Returns the specifier of a marked request; `undefined` for a request without the mark. */
export function specifierOf(request: string): string | undefined {
  return request.startsWith(REQUEST_PREFIX) ? request.slice(REQUEST_PREFIX.length) : undefined;
}

/**
 * Prints a module as an ES module whose imports are all named, for esbuild to convert into CommonJS with live
 * bindings. Imports are on the first line; all other code keeps its place, `HEAD_LINES` lower.
 */
export function printModule(parts: ModuleParts): string {
  return `${printImports(parts)}\n${parts.body}`;
}

/** Name of the single export in the output of `printAsyncModule`. */
export const ASYNC_RUN = 'virgule_run';

/**
 * Prints a module with top-level await. The code becomes an async function, exported as `ASYNC_RUN`, which first
 * passes a getter for each export and then runs the code.
 */
export function printAsyncModule(parts: ModuleParts): string {
  const { body, exportStart, exportedLocals, runName } = parts;
  const end = exportStart === -1 ? undefined : blank(body, exportStart, body.length);
  const code = end ? body.slice(0, end.start) + end.text : body;
  const getters = [...exportedLocals].map(
    ([name, local]) => `[${JSON.stringify(name)}]: () => ${local}`,
  );
  const start = `const ${runName} = async (${runName}) => { ${runName}({ ${getters.join(', ')} });`;
  return `${printImports(parts)} ${start}\n${code}\n};\nexport { ${runName} as ${ASYNC_RUN} };`;
}

function printImports({ requests }: ModuleParts): string {
  return requests
    .map(({ specifier, names }) => {
      const clause = names.map(
        ({ imported, local }) => `${JSON.stringify(viewName(imported))} as ${local}`,
      );
      const from = clause.length === 0 ? '' : `{ ${clause.join(', ')} } from `;
      return `import ${from}${JSON.stringify(requestOf(specifier))};`;
    })
    .join(' ');
}
