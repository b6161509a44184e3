import { cutTo, widthOf } from './fit-line.js';

/** Cuts the lines of a code frame to a terminal's width, around the mark, so that it stays in sight. */
export function fitFrame(frame: string, columns: number): string {
  const lines = frame.split('\n');
  const gutter = (lines[0]?.indexOf('|') ?? -1) + 2;
  const room = columns - gutter;
  if (gutter < 2 || room < 10 || lines.every((line) => widthOf(line, columns) <= columns))
    return frame;
  const marked = lines.find((line) => /^ *\|\s*\^$/.test(line));
  const mark = marked === undefined ? 0 : marked.length - 1 - gutter;
  // A third of the width stays behind the mark.
  const from = Math.max(0, mark - Math.floor((room * 2) / 3));
  return lines
    .map((line) => {
      const head = line.slice(0, gutter);
      const text = line.slice(gutter + from);
      return (
        head + cutTo(from > 0 && text !== '' && line !== marked ? `…${text.slice(1)}` : text, room)
      );
    })
    .join('\n');
}
