/** Characters that control a terminal: C0 but tab and line feed, DEL, C1 (starts sequences too), directions. */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- matching them is the purpose.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Control characters that are not part of a sequence for colors and weights. */
const CONTROLS_BUT_COLORS =
  // oxlint-disable-next-line no-control-regex -- matching them is the purpose.
  /(\u001b\[[\d;]*m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RESET = '\u001B[0m';

const escaped = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Returns foreign text that is safe to print: control characters are escaped, such as `\u001b`, except tabs. `indent` marks
 * the lines after the first as foreign. @defaultValue two spaces
 */
export const showControls = (text: string, indent = '  '): string =>
  text.replaceAll('\r\n', '\n').replace(CONTROLS, escaped).replaceAll('\n', `\n${indent}`);

/** Returns foreign text on one line, such as a name or a path: line breaks and tabs are escaped too. */
export function showOnOneLine(text: string): string {
  return text
    .replace(CONTROLS, escaped)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}

/** Returns a line that a program printed, escaped. Colors end with the line, or are removed without `color`. */
export function showOutput(line: string, color: boolean): string {
  let isColored = false;
  const shown = line.replace(CONTROLS_BUT_COLORS, (found, sequence?: string) => {
    if (sequence === undefined) return escaped(found);
    isColored = true;
    return color ? sequence : '';
  });
  return isColored && color ? shown + RESET : shown;
}
