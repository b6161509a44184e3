/** Returns a text as one word of a command line that can be pasted into a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w,./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
