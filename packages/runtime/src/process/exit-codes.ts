/**
 * What a bot ends with that will not start by being started again: a setting is missing or wrong, or its token is
 * refused. Supervisors can tell it from a failure that may pass, which is 1. The number is `EX_CONFIG` of sysexits.h.
 */
export const EXIT_UNUSABLE = 78;
