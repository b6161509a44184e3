import type { Env } from '@virgule/runtime/process';

/**
 * Returns the environment of a child whose output is printed on a terminal with colors. To the child its output is a
 * pipe, for which packages use none. Variables that the user has set win.
 */
export function withColor(env: Env, hasColor: boolean): Env {
  const isSet = env['FORCE_COLOR'] !== undefined || env['NO_COLOR'] !== undefined;
  if (!hasColor || isSet) return env;
  const isTrueColor = ['truecolor', '24bit'].includes(env['COLORTERM'] ?? '');
  const has256 = env['TERM']?.includes('256color') ?? false;
  return { ...env, FORCE_COLOR: isTrueColor ? '3' : has256 ? '2' : '1' };
}
