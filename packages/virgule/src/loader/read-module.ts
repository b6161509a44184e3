import { compileFunction } from 'node:vm';
import { parse } from 'es-module-lexer';

/** All static imports of one module from another. */
interface ImportRequest {
  readonly specifier: string;
  /** Imported names, as spelled in the other module; without the names read from a namespace. */
  readonly names: ReadonlySet<string>;
}

interface Reexport {
  readonly specifier: string;
  /** Name in the other module; `*` for its namespace. */
  readonly imported: string;
}

/** Facts known about a module before it runs. */
export interface ModuleShape {
  readonly requests: readonly ImportRequest[];
  /** Names of the module's own exports. */
  readonly localExports: ReadonlySet<string>;
  readonly reexports: ReadonlyMap<string, Reexport>;
  /** Specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** Specifiers of `import()`; `undefined` when the argument is not a plain string. */
  readonly dynamic: readonly (string | undefined)[];
}

/** Module in the form that is compiled. */
export interface ModuleParts extends ModuleShape {
  /** Code with replaced imports. Every character after the imports keeps its line and column. */
  readonly code: string;
  /** Free identifier that replaces `import` of `import(`. */
  readonly importName: string;
  /** True if the free identifier `META_NAME` replaces `import.meta`. */
  readonly hasMeta: boolean;
}

/** Matches the request of a static import, with `*` for a whole module; a `require` in user code has no prefix. */
export const REQUEST = /^import(\*?):([^]*)$/;

/** Matches a string literal. esbuild chooses the quotes. */
const STRING = ['"', "'", '`']
  .map((quote) => `${quote}(?:[^${quote}\\\\]|\\\\.)*${quote}`)
  .join('|');
/** Matches what precedes the imports: a hashbang, directives, helpers of esbuild, and the getters of the exports. */
const HEAD = new RegExp(
  String.raw`^(?:#!.*\n)?(?:(?:${STRING});\n)*(?:var __\w+ = .*\n(?:[ })].*\n)*)*(?:var \S+ = \{\};\n(?:__export\(\S+, \{\n([^]*?)\n\}\);\n)?module\.exports = .*\n)?`,
);
const EXPORT = new RegExp(String.raw`^  (${STRING}|[\w$\u0080-\uffff]+): \(\) => (.+?),?$`, 'gm');
/** Matches an import of names, of a whole module, or for `export *`. */
const IMPORT = new RegExp(
  String.raw`(?:var (\S+) = (?:__toESM\()?require\((${STRING})(?:\)(?:, 1)?)?\);|__reExport\(\S+, require\((${STRING})\), module\.exports\);)\n`,
  'y',
);
/** Variable in the output of esbuild for `import.meta`. */
export const META_NAME = 'import_meta';
/** Line of a module with `import.meta`. esbuild renames other variables of this name. */
const META = `const ${META_NAME} = {};`;
const NAME = String.raw`(?:\.([\w$\u0080-\uffff]+)|\[(${STRING})\])`;
/** Matches a read of an imported name. No other variable of a module has such a name. */
const READ = new RegExp(String.raw`(?<![\w$.])(import_[\w$]*)${NAME}`, 'g');
const EXPORTED = new RegExp(String.raw`^([^.[]+)${NAME}?$`);

/**
 * Reads a module that esbuild has converted to CommonJS: a getter for each export, then a variable for each import
 * statement, then the code, which reads each imported name from such a variable. The lexer must have been initialized.
 */
export function readModule(converted: string): ModuleParts {
  const [head = '', getters = ''] = HEAD.exec(converted) ?? [];
  const requests = new Map<string, { readonly specifier: string; readonly names: Set<string> }>();
  const stars: string[] = [];
  /** Specifiers by variable. */
  const variables = new Map<string, string>();
  // The getters are enough: esbuild's copy of them, for other CommonJS modules, takes longer than a short module.
  let code = head
    .replace(/^#!.*/, '')
    .replace('module.exports = __toCommonJS(', 'module.exports = (');
  let end = head.length;
  for (IMPORT.lastIndex = end; ; end = IMPORT.lastIndex) {
    const [, variable, required, star = ''] = IMPORT.exec(converted) ?? [];
    if (IMPORT.lastIndex === 0) break;
    const specifier = unquote(required ?? star);
    requests.set(specifier, requests.get(specifier) ?? { specifier, names: new Set() });
    if (variable === undefined) stars.push(specifier);
    else variables.set(variable, specifier);
    // A variable that the author named is a namespace.
    const mark = variable === undefined || variable.startsWith('import_') ? '' : '*';
    const declared = variable === undefined ? '' : `var ${variable} = `;
    code += `${declared}require(${JSON.stringify(`import${mark}:${specifier}`)});\n`;
  }
  const hasMeta = converted.startsWith(META, end);
  code += converted.slice(hasMeta ? end + META.length : end);

  for (const [, variable = '', name, quoted = ''] of converted.matchAll(READ))
    requests.get(variables.get(variable) ?? '')?.names.add(name ?? unquote(quoted));
  const localExports = new Set<string>();
  const reexports = new Map<string, Reexport>();
  for (const [, name = '', value = ''] of getters.matchAll(EXPORT)) {
    const [, variable = '', imported, quoted = '"*"'] = EXPORTED.exec(value) ?? [];
    const specifier = variables.get(variable);
    if (specifier === undefined) localExports.add(unquote(name));
    else reexports.set(unquote(name), { specifier, imported: imported ?? unquote(quoted) });
  }
  const replaced = replaceDynamic(code);
  return { requests: [...requests.values()], localExports, reexports, stars, hasMeta, ...replaced };
}

/** Replaces `import` of `import(` with an identifier of the same length. */
function replaceDynamic(code: string) {
  let importName = '$load_';
  for (let attempt = 0; code.includes(importName); attempt += 1)
    importName = `$${attempt.toString(36).padStart(5, '_')}`;
  const dynamic: (string | undefined)[] = [];
  let replaced = '';
  let end = 0;
  for (const found of code.includes('import(') ? parse(code)[0] : []) {
    if (found.type !== 'dynamic') continue;
    dynamic.push(found.glob ? undefined : found.specifier);
    replaced += code.slice(end, found.importStart) + importName;
    end = found.importStart + importName.length;
  }
  return { code: replaced + code.slice(end), importName, dynamic };
}

/** Returns the value of a name that may be a string literal. */
function unquote(name: string): string {
  if (!/^["'`]/.test(name)) return name;
  return name.includes('\\') ? String(compileFunction(`return ${name}`)()) : name.slice(1, -1);
}

/** Number of lines that `printAsyncModule` adds before the module's own first line. */
export const HEAD_LINES = 1;
/** Name of the single export in the output of `printAsyncModule`. */
export const ASYNC_RUN = 'virgule_run';

/**
 * Prints a module with top-level await, given as esbuild prints ES modules: statements of imports, and one clause of
 * exports at the end. The code becomes an async function, exported as `ASYNC_RUN`, which first passes an object with a
 * getter for each export and then runs the code.
 */
export function printAsyncModule(code: string) {
  const [imports] = parse(code);
  const statements = imports.filter(({ type }) => type === 'static' || type === 'reexport-star');
  const head = statements.map(({ importStart, importEnd }) => code.slice(importStart, importEnd));
  let body = code;
  for (const { importStart, importEnd } of statements) body = blank(body, importStart, importEnd);
  const clause = /^export \{\n((?: {2}\S.*\n)+)\};\s*(?![^])/m.exec(body);
  if (clause) body = blank(body, clause.index, body.length);
  const exported = [...(clause?.[1] ?? '').matchAll(/^  (\S+?)(?: as (.+?))?,?$/gm)].map(
    ([, local = '', name = local]) => ({ local, name: unquote(name) }),
  );
  const getters = exported.map(
    ({ local, name }) => `get [${JSON.stringify(name)}]() { return ${local}; }`,
  );
  return {
    names: exported.map(({ name }) => name),
    text: `${head.map((each) => each.replaceAll('\n', ' ')).join(';')}; const ${ASYNC_RUN}_ = async (${ASYNC_RUN}_) => { ${ASYNC_RUN}_({ ${getters.join(', ')} });\n${body}\n};\nexport { ${ASYNC_RUN}_ as ${ASYNC_RUN} };`,
  };
}

/** Replaces a range with blanks and keeps its line breaks. */
const blank = (code: string, start: number, end: number): string =>
  code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, ' ') + code.slice(end);
