import type { SimProblem } from '@virgule/core/simulator-api';

export const problemKey = (problem: SimProblem): string =>
  [problem.code, problem.where ?? '', problem.message].join('\n');

export function hasNewProblem(before: readonly SimProblem[], after: readonly SimProblem[]) {
  const known = new Set(before.map(problemKey));
  return after.some((problem) => !known.has(problemKey(problem)));
}

export function problemsTitle(problems: readonly SimProblem[]): string {
  const [only] = problems;
  if (only === undefined) return '';
  if (problems.length > 1) return `${problems.length} problems`;
  return only.where === undefined ? 'Problem' : `Problem in ${only.where}`;
}
