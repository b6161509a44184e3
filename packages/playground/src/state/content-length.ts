import type { Profile } from '@virgule/core/protocol';

/** The longest message content ("Limits"). */
export const CONTENT_MAX = 2000;

/** From here on the composer shows how long the text is. */
export const COUNT_FROM = 1800;

export function contentLength(text: string, unit: Profile['contentUnit']): number {
  return unit === 'code-point' ? [...text].length : text.length;
}
