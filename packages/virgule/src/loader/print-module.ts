import { blank, type ModuleParts } from './read-module.js';

/** How many lines `printModule` puts before the module's own first line. */
export const HEAD_LINES = 1;

/** Marks the specifiers of static imports: a `require` in user code is not one. */
const REQUEST_PREFIX = 'import:';

/** Returns the name under which an import view holds what the other module calls `imported`. */
export function viewName(imported: string): string {
  // esbuild treats an import of `default` or of a namespace as CommonJS interop and would copy the
  // module; under other names they are plain live bindings.
  return imported === 'default' || imported === '*' ? `virgule:${imported}` : imported;
}

const requestOf = (specifier: string): string => REQUEST_PREFIX + specifier;

/** Returns the specifier of a marked request, or `undefined` when it is not one of ours. */
export function specifierOf(request: string): string | undefined {
  return request.startsWith(REQUEST_PREFIX) ? request.slice(REQUEST_PREFIX.length) : undefined;
}

/**
 * Prints a module as an ES module whose imports are all named, for esbuild to convert into CommonJS with live
 * bindings. Imports are on the first line; everything else keeps its place, `HEAD_LINES` lower.
 */
export function printModule(parts: ModuleParts): string {
  return `${printImports(parts)}\n${parts.body}`;
}

/** The one export of the module that `printAsyncModule` writes. */
export const ASYNC_RUN = 'virgule_run';

/**
 * Prints a module with top-level await: its code becomes an async function, exported as `ASYNC_RUN`, which
 * first hands over a getter for each export and then runs the code.
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
