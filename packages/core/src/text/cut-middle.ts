/** Maximum length of foreign text on a terminal, in characters: about two hundred lines. */
const MAX_SHOWN_LENGTH = 10_000;

/** Returns a text that fits into a terminal: the middle of a longer text is left out. */
export function cutMiddle(text: string, max = MAX_SHOWN_LENGTH): string {
  if (text.length <= max) return text;
  const half = Math.floor(max / 2);
  return `${text.slice(0, half)}… (${text.length - 2 * half} characters) …${text.slice(-half)}`;
}
