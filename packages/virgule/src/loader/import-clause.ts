/** One name that an import statement brings in. */
export interface ImportedName {
  /** Its name in the other module; `default`, or `*` for the whole namespace. */
  readonly imported: string;
  /** Its name in this module. */
  readonly local: string;
}

/** A default, then a namespace or what is in braces. Names in quotes may contain anything. */
const CLAUSE =
  /^import\s*([^\s"'{*,]+)?[\s,]*(?:\*\s*as\s+(\S+)|\{((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'}])*)\})?/;
const NAME = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"',]+)(?:\s+as\s+([^\s,]+))?/g;

/**
 * Reads the names of one import statement, such as `import a, { b as c } from "d"`. The statement
 * must be valid JavaScript without comments between its tokens, as esbuild prints it.
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
  // A name with escapes is a JSON string in esbuild's spelling.
  const value: unknown = JSON.parse(`"${inner}"`);
  return String(value);
}
