import { showOnOneLine } from '@virgule/core/text';
import { beginningOf, padTo, widthOf } from './fit-line.js';

/** Table of text: a head, and rows with an equal number of cells. */
export interface TextTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface TextTableStyle {
  readonly columns: number;
  readonly strong: (text: string) => string;
  readonly dim: (text: string) => string;
}

const GAP = 2;
const INDENT = 2;

/**
 * Returns the lines of a table. If there is room, its columns are next to each other. Otherwise each row becomes a
 * block, with the first cell above the other cells and their names. Empty columns are omitted, no text is cut, and
 * control characters are shown as escapes.
 */
export function layOutTable({ head, rows }: TextTable, style: TextTableStyle): string[] {
  if (rows.length === 0) return [];
  const used = head.flatMap((_, index) => (rows.some((row) => row[index]) ? [index] : []));
  const pick = (row: readonly string[]): string[] =>
    used.map((index) => showOnOneLine(row[index] ?? ''));
  const names = pick(head);
  const cells = rows.map(pick);
  const widths = names.map((name, index) =>
    Math.max(widthOf(name), ...cells.map((row) => widthOf(row[index] ?? ''))),
  );
  const total = INDENT + widths.reduce((sum, width) => sum + width + GAP, -GAP);
  return total <= style.columns
    ? sideBySide(names, cells, widths, style)
    : blocks(names, cells, style);
}

function sideBySide(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  widths: readonly number[],
  { strong, dim }: TextTableStyle,
): string[] {
  const line = (row: readonly string[], first: (text: string) => string): string => {
    const [label = '', ...others] = row.map((cell, index) => padTo(cell, widths[index] ?? 0));
    return [' '.repeat(INDENT) + first(label), ...others].join(' '.repeat(GAP)).trimEnd();
  };
  return [dim(line(names, (text) => text)), ...rows.map((row) => line(row, strong))];
}

function blocks(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, strong, dim }: TextTableStyle,
): string[] {
  const [, ...labels] = names;
  const width = Math.max(0, ...labels.map(widthOf));
  return rows.flatMap(([title = '', ...others]) => [
    ...wrapText(title, columns - INDENT).map((text) => ' '.repeat(INDENT) + strong(text)),
    ...others.flatMap((cell, index) => {
      if (cell === '') return [];
      const label = dim(padTo(labels[index] ?? '', width));
      const left = ' '.repeat(INDENT * 2) + label + ' '.repeat(GAP);
      return (left + hangText(cell, columns, INDENT * 2 + width + GAP)).split('\n');
    }),
  ]);
}

/** Returns the cells of a row on as few lines as a terminal needs. Cells are broken at spaces only, so that ids can be copied. */
export function flowCells(cells: readonly string[], columns: number): string {
  const [first = '', ...others] = cells;
  return others.reduce((text, cell) => {
    const width = widthOf(text.slice(text.lastIndexOf('\n') + 1), columns);
    if (width + GAP + widthOf(cell, columns) <= columns) return `${text}${' '.repeat(GAP)}${cell}`;
    const fitted = cell.includes(' ') ? hangText(cell, columns, INDENT) : cell;
    return `${text.trimEnd()}\n${' '.repeat(INDENT)}${fitted}`;
  }, first);
}

/** Returns a text in lines of at most `width` columns, broken at spaces if there are any. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line, width) + 1 + widthOf(word, width) > width) {
      lines.push(line.trimEnd());
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
    while (widthOf(line, width) > width) {
      // A letter that is wider than the line gets a separate line.
      const part = beginningOf(line, Math.max(width, 2));
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return [...lines, line];
}

/** Returns a text in lines that fit into a terminal; the lines after the first one have an indent, in columns. */
export const hangText = (text: string, columns: number, indent: number): string =>
  columns === Infinity ? text : wrapText(text, columns - indent).join(`\n${' '.repeat(indent)}`);
