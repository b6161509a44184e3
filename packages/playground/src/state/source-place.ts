export interface SourcePlace {
  readonly text: string;
  /** Path from the bot's folder. */
  readonly file: string;
  readonly line: string;
  readonly column: string;
}

/** `commands/(admin)/ban.ts:14:22` after a space or a parenthesis; no absolute paths, no `..`. */
const PLACE =
  /(?<=^|[\s(])((?:\.\/)?((?!\.\.)(?:[^\s:()/]+\/|\([^\s:()/]+\)\/)*[^\s:()/]+\.[cm]?[jt]sx?):(\d+)(?::(\d+))?)/gm;

export function splitPlaces(text: string): readonly (string | SourcePlace)[] {
  const parts: (string | SourcePlace)[] = [];
  let end = 0;
  for (const found of text.matchAll(PLACE)) {
    const [, all = '', path = '', line = '1', column = '1'] = found;
    if (/node_modules\/|(?:^|\/)\.\.\//.test(path)) continue;
    if (found.index > end) parts.push(text.slice(end, found.index));
    parts.push({ text: all, file: path.replace(/^\.\//, ''), line, column });
    end = found.index + all.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Returns the address that opens a place. `template` has `{file}`, `{line}` and `{column}`. */
export function editorUrl(template: string, { file, line, column }: Omit<SourcePlace, 'text'>) {
  const path = file.split('/').map(encodeURIComponent).join('/');
  const values: Readonly<Record<string, string>> = { file: path, line, column };
  return template.replaceAll(/\{(file|line|column)\}/g, (_all, name: string) => values[name] ?? '');
}
