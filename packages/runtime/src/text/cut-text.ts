/** Cuts a text to at most `length` UTF-16 code units, with `…` for the missing part, and never within a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  let kept = text.slice(0, length - 1);
  if (/[\uD800-\uDBFF]$/.test(kept)) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}
