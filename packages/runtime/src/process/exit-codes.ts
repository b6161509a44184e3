import { isBadAddress, isUnauthorized } from '@virgule/client/rest';
import type { Scale } from '../scale/scale.js';

/**
 * The exit code of a bot that another start does not fix: a setting is missing or invalid, or its token is
 * refused. Supervisors can distinguish it from a temporary failure, which is 1. The number is `EX_CONFIG` of
 * sysexits.h.
 */
export const EXIT_UNUSABLE = 78;

/** Returns the exit code of a bot that an error ended. Another start may be fine where only the platform was away. */
export const exitCodeOf = (error: unknown, scale: Scale | undefined): number =>
  isUnauthorized(error) || isBadAddress(error) || scale?.isUnusable?.(error) ? EXIT_UNUSABLE : 1;
