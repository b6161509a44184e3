/** One name that an import statement brings in. */
export interface ImportedName {
  /** Its name in the other module; `default`, or `*` for the whole namespace. */
  readonly imported: string;
  /** Its name in this module. */
  readonly local: string;
}

const PUNCTUATION = new Set(['{', '}', ',', '*']);
const QUOTES = new Set(['"', "'"]);

/**
 * Reads the names of one import statement, such as `import a, { b as c } from "d"`. The statement
 * must be valid JavaScript without comments between its tokens, as esbuild prints it.
 */
export function parseImportClause(statement: string): ImportedName[] {
  const tokens = tokenize(statement);
  const names: ImportedName[] = [];
  // The word `import` comes first; a string right after it is the module, and there are no names.
  let index = 1;
  const next = (): string => tokens[index++] ?? '';
  if (isQuoted(tokens[index] ?? '')) return names;
  if (!PUNCTUATION.has(tokens[index] ?? '')) {
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

function tokenize(statement: string): string[] {
  const tokens: string[] = [];
  let word = '';
  const endWord = (): void => {
    if (word !== '') tokens.push(word);
    word = '';
  };
  for (let index = 0; index < statement.length; index += 1) {
    const unit = statement.charAt(index);
    if (QUOTES.has(unit)) {
      endWord();
      const end = endOfString(statement, index);
      tokens.push(statement.slice(index, end));
      index = end - 1;
    } else if (PUNCTUATION.has(unit)) {
      endWord();
      tokens.push(unit);
    } else if (unit.trim() === '') {
      endWord();
    } else {
      word += unit;
    }
  }
  endWord();
  return tokens;
}

function endOfString(text: string, start: number): number {
  const quote = text.charAt(start);
  let index = start + 1;
  while (index < text.length && text.charAt(index) !== quote)
    index += text.charAt(index) === '\\' ? 2 : 1;
  return index + 1;
}

const isQuoted = (token: string): boolean => QUOTES.has(token.charAt(0));

function unquote(token: string): string {
  if (!isQuoted(token)) return token;
  const inner = token.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  // A name with escapes is a JSON string in esbuild's spelling.
  const value: unknown = JSON.parse(`"${inner}"`);
  return String(value);
}
