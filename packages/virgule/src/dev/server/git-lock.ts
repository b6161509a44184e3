import { dirname, join } from 'node:path';
import { statsOf } from '../../loader/read-source.js';

/** A lock that is older was left behind by a git that was killed, in milliseconds. */
const ABANDONED_MS = 10_000;

/**
 * Returns whether git is changing files of a folder, as in a checkout: it keeps its index locked until all are written.
 * `.git` is looked for in the folder and those above it; a worktree, whose lock is elsewhere, is not recognized.
 */
export function isGitWriting(folder: string, nowMs: number): boolean {
  const atMs = statsOf(join(folder, '.git', 'index.lock'))?.mtimeMs;
  // Clocks of disks differ, also by less than a millisecond.
  if (atMs !== undefined) return Math.abs(nowMs - atMs) < ABANDONED_MS;
  const parent = dirname(folder);
  return parent !== folder && isGitWriting(parent, nowMs);
}
