/** An assignment, as dotenv 17 reads it: up to the end of its line, or over several within quotes. */
const ASSIGNMENT =
  /\s*(?:export\s+)?([\w.-]+)(?:[^\S\n]*=[^\S\n]*|:[^\S\n]+)('(?:\\'|[^'])*'|"(?:\\"|[^"])*"|`(?:\\`|[^`])*`|[^#\n]+)?[^\S\n]*(?:#.*)?$/my;
const BLANK = /\s*(?:#.*)?$/my;

/** What is in a `.env` file. */
export interface ParsedEnv {
  readonly variables: Readonly<Record<string, string>>;
  /** The lines that are neither an assignment nor a comment, counted from 1. */
  readonly ignored: readonly number[];
}

/**
 * Reads the text of a `.env` file by the rules of dotenv, which do not depend on the version of Node.js as those of
 * `util.parseEnv` do.
 */
export function parseEnv(text: string): ParsedEnv {
  const source = text.replace(/\r\n?/g, '\n');
  const variables = new Map<string, string>();
  const ignored: number[] = [];
  for (let at = 0, line = 1; at < source.length;) {
    ASSIGNMENT.lastIndex = BLANK.lastIndex = at;
    const [, name, value = ''] = ASSIGNMENT.exec(source) ?? [];
    let end = ASSIGNMENT.lastIndex;
    if (name !== undefined) variables.set(name, valueOf(value.trim()));
    else if (BLANK.test(source)) end = BLANK.lastIndex;
    else {
      ignored.push(line);
      end = source.indexOf('\n', at);
      if (end === -1) end = source.length;
    }
    line += source.slice(at, end + 1).split('\n').length - 1;
    at = end + 1;
  }
  return { variables: Object.fromEntries(variables), ignored };
}

function valueOf(text: string): string {
  const inner = text.replace(/^(["'`])(.*)\1$/s, '$2');
  return text.startsWith('"') ? inner.replace(/\\n/g, '\n').replace(/\\r/g, '\r') : inner;
}
