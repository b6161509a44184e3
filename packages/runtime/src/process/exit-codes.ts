import { isBadAddress, isUnauthorized } from '@virgule/client/rest';
import type { Scale } from '../scale/scale.js';

/**
 * Exit code for an error that another start does not fix: a setting is missing or invalid, or the token is
 * refused. The exit code of a temporary failure is 1. The number is `EX_CONFIG` of sysexits.h.
 */
export const EXIT_UNUSABLE = 78;

/** Returns the exit code of a bot that an error ended: 1 if another start may succeed, such as after an outage of the platform. */
export const exitCodeOf = (error: unknown, scale: Scale | undefined): number =>
  isUnauthorized(error) || isBadAddress(error) || scale?.isUnusable?.(error) ? EXIT_UNUSABLE : 1;
