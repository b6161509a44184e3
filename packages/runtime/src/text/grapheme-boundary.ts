let segmenter: Intl.Segmenter | undefined;

/** Number of code units that are read after a position to find the end of a character: more than any emoji has. */
const LOOK_AHEAD = 64;

/**
 * Returns the last boundary between two grapheme clusters, such as emojis of many parts, at or before `at`, which is
 * within the text. If that boundary is before `min`, returns the last boundary between two code points.
 */
export function boundaryBefore(text: string, at: number, min: number): number {
  segmenter ??= new Intl.Segmenter();
  const found = segmenter.segment(text.slice(0, at + LOOK_AHEAD)).containing(at);
  if (found && found.index >= Math.max(min, 1)) return found.index;
  const isInsidePair = isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
  return isInsidePair && at > 1 ? at - 1 : at;
}

/** Returns whether a text ends with the first half of a surrogate pair. */
export const endsHalfway = (text: string): boolean => isHigh(text.charCodeAt(text.length - 1));

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
