// Source: Bot Interface, "Limits".

/** Shortest message content, in characters. */
export const CONTENT_MIN_LENGTH = 1;

/** Longest message content, in characters (UTF-16 code units; the unit is assumed). */
export const CONTENT_MAX_LENGTH = 2000;

/** How many messages come back when the query does not say: `limit` of endpoint 5, `before` and `after` of endpoint 10. */
export const PAGE_DEFAULTS = { limit: 50, before: 25, after: 25 } as const;

/** Longest description of a command or an option, in characters (assumed). */
export const DESCRIPTION_MAX_LENGTH = 100;

/** How a command or option may be named (assumed). */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9_-]{0,31}$/;
