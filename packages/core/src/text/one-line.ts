/** Returns the text on one line: trimmed, and with one space in place of each run of white space. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
