/** Returns whether a UTF-16 code unit separates words: as `\s`, whose cost most characters do not need. */
export function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code));
}

/** Returns the index of the first character from `from` on that is not white space, or the length of the string. */
export function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Returns the index of the first white space from `from` on, or the length of the string. */
export function endOfWord(text: string, from: number): number {
  let index = from;
  while (index < text.length && !isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

/** Returns the index after the last character that is not white space; at least `from`. */
export function trimmedEnd(text: string, from: number): number {
  let end = text.length;
  while (end > from && isSpace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}
