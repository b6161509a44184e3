import { stripVTControlCharacters } from 'node:util';

/** How many columns a text takes. */
export function widthOf(text: string): number {
  return [...new Intl.Segmenter().segment(stripVTControlCharacters(text))].length;
}

/** Cuts a plain text to so many columns, with a mark where something is missing. */
export function cutTo(text: string, columns: number): string {
  const letters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  if (letters.length <= columns) return text;
  return `${letters.slice(0, Math.max(columns - 1, 0)).join('')}…`;
}

/** Joins parts with ` · ` into as many lines as they need, each beginning with `indent`. */
export function wrapParts(parts: readonly string[], indent: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? indent + part : `${line} · ${part}`;
    if (line !== '' && widthOf(longer) > columns) {
      lines.push(line);
      line = indent + part;
    } else {
      line = longer;
    }
  }
  return line === '' ? lines : [...lines, line];
}
