/** One name that an import statement brings in. */
export interface ImportedName {
  /** Its name in the other module; `default`, or `*` for the whole namespace. */
  readonly imported: string;
  /** Its name in this module. */
  readonly local: string;
}

const TOKENS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{},*]|[^\s"'{},*]+/g;

/**
 * Reads the names of one import statement, such as `import a, { b as c } from "d"`. The statement
 * must be valid JavaScript without comments between its tokens, as esbuild prints it.
 */
export function parseImportClause(statement: string): ImportedName[] {
  const tokens = statement.match(TOKENS) ?? [];
  const names: ImportedName[] = [];
  // The word `import` comes first; a string right after it is the module, and there are no names.
  let index = 1;
  const next = (): string => tokens[index++] ?? '';
  if (isQuoted(tokens[index] ?? '')) return names;
  if (!['{', '*'].includes(tokens[index] ?? '')) {
    names.push({ imported: 'default', local: next() });
    if (tokens[index] === ',') index += 1;
  }
  if (tokens[index] === '*') {
    index += 2;
    names.push({ imported: '*', local: next() });
  } else if (tokens[index] === '{') {
    index += 1;
    while (tokens[index] !== '}') {
      const imported = unquote(next());
      let local = imported;
      if (tokens[index] === 'as') {
        index += 1;
        local = next();
      }
      names.push({ imported, local });
      if (tokens[index] === ',') index += 1;
    }
  }
  return names;
}

const isQuoted = (token: string): boolean => /^["']/.test(token);

function unquote(token: string): string {
  if (!isQuoted(token)) return token;
  const inner = token.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  // A name with escapes is a JSON string in esbuild's spelling.
  const value: unknown = JSON.parse(`"${inner}"`);
  return String(value);
}
