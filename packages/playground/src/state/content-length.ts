import type { Profile } from '@virgule/core/protocol';

/** Maximum length of message content ("Limits"). */
export const MAX_CONTENT_LENGTH = 2000;

/** Length from which the composer shows a counter. */
export const COUNT_FROM = 1800;

/** Returns the length of content in the unit of the platform. */
export const contentLength = (text: string, unit?: Profile['contentUnit']): number =>
  unit === 'code-point' ? [...text].length : text.length;
