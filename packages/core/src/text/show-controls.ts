/**
 * Characters by which text acts on a terminal instead of being shown: C0 without tab and line feed, DEL, C1
 * (some terminals read U+009B as the start of a sequence), and those that turn the direction of writing.
 */
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- these are what it is about.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** The same, where sequences that only set colors and weights are passed over. */
const CONTROLS_BUT_COLORS =
  // oxlint-disable-next-line no-control-regex -- these are what it is about.
  /(\u001b\[[\d;]*m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RESET = '\u001B[0m';

/** Of each control character; a program may print millions of them. */
const escapes = new Map<string, string>();

function escaped(letter: string): string {
  const known = escapes.get(letter);
  if (known !== undefined) return known;
  const escape = `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  escapes.set(letter, escape);
  return escape;
}

/**
 * Returns text that someone else wrote as it may be printed on a terminal: each control character is shown
 * as `\u001b` and its like. Tabs stay; what follows a line break is indented, so that it cannot be taken for a
 * line of the program that prints it.
 *
 * @param indent - what each line after the first begins with. @defaultValue two spaces
 */
export function showControls(text: string, indent = '  '): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, escaped).replaceAll('\n', `\n${indent}`);
}

/** The same for a name, a path or another text that belongs on one line: line breaks and tabs are shown as well. */
export function showOnOneLine(text: string): string {
  return text
    .replace(CONTROLS, escaped)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`);
}

/**
 * The same for a line that a program printed itself: its colors stay, or are left out without `color`. They end with
 * the line.
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
