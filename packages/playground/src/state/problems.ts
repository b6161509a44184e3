import type { SimProblem } from '@virgule/core/simulator-api';

/** Returns a key that identifies a problem. */
export function problemKey(problem: SimProblem): string {
  return [problem.code, problem.where ?? '', problem.message].join('\n');
}

/** Returns whether a problem is new. */
export function hasNewProblem(
  before: readonly SimProblem[],
  after: readonly SimProblem[],
): boolean {
  const known = new Set(before.map(problemKey));
  return after.some((problem) => !known.has(problemKey(problem)));
}

/** Returns one line for all problems. */
export function problemsTitle(problems: readonly SimProblem[]): string {
  const [only] = problems;
  if (only === undefined) return '';
  if (problems.length > 1) return `${problems.length} problems`;
  return only.where === undefined ? 'Problem' : `Problem in ${only.where}`;
}
