// Source: Bot Interface, "Limits".

/** Minimum length of message content, in characters. */
export const CONTENT_MIN_LENGTH = 1;

/** Maximum length of message content, in characters (UTF-16 code units; the unit is assumed). */
export const CONTENT_MAX_LENGTH = 2000;

/** Default number of messages: `limit` of endpoint 5, `before` and `after` of endpoint 10. */
export const PAGE_DEFAULTS = { limit: 50, before: 25, after: 25 } as const;

/** Maximum length of the description of a command or an option, in characters (assumed). */
export const DESCRIPTION_MAX_LENGTH = 100;

/** Valid names of commands and options (assumed). */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,31}$/;
