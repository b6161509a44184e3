/**
 * Exit code for an error that another start does not fix: a setting is missing or invalid, or the token is
 * refused. The exit code of a temporary failure is 1. The number is `EX_CONFIG` of sysexits.h.
 */
export const EXIT_UNUSABLE = 78;
