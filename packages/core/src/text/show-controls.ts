/**
 * Characters that control a terminal: C0 except tab and line feed, DEL, C1 (some terminals read U+009B as the start of
 * a sequence), and characters that change the writing direction.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- matching them is the purpose.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Control characters that are not part of a sequence for colors and weights. */
const CONTROLS_BUT_COLORS =
  // oxlint-disable-next-line no-control-regex -- matching them is the purpose.
  /(\u001b\[[\d;]*m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RESET = '\u001B[0m';

/** Cache of escapes, because a program may print millions of control characters. */
const escapes = new Map<string, string>();

function escaped(letter: string): string {
  const known = escapes.get(letter);
  if (known !== undefined) return known;
  const escape = `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  escapes.set(letter, escape);
  return escape;
}

/**
 * Returns foreign text in a form that is safe to print on a terminal: control characters are escaped, such as `\u001b`,
 * except tabs. Lines after the first are indented, which distinguishes these lines from those of the printing program.
 *
 * @param indent - prefix of each line after the first. @defaultValue two spaces
 */
export function showControls(text: string, indent = '  '): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, escaped).replaceAll('\n', `\n${indent}`);
}

/** Returns foreign text on one line, such as a name or a path: line breaks and tabs are escaped too. */
export function showOnOneLine(text: string): string {
  return text
    .replace(CONTROLS, escaped)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}

/**
 * Returns a line that a program printed, with control characters escaped. Colors are kept until the end of the
 * line, or removed without `color`.
 */
export function showOutput(line: string, color: boolean): string {
  let isColored = false;
  const shown = line.replace(CONTROLS_BUT_COLORS, (found, sequence?: string) => {
    if (sequence === undefined) return escaped(found);
    isColored = true;
    return color ? sequence : '';
  });
  return isColored && color ? shown + RESET : shown;
}
