/**
 * The exit code of a bot that another start does not fix: a setting is missing or invalid, or its token is
 * refused. Supervisors can distinguish it from a temporary failure, which is 1. The number is `EX_CONFIG` of
 * sysexits.h.
 */
export const EXIT_UNUSABLE = 78;
