import type { SimProblem } from '@virgule/core/simulator-api';

/**
 * Returns the problems of a new process in files that the process that answers has no problem in. Without any, the new
 * one takes over: it lacks only what is broken already, as the first process of `dev` would.
 */
export function newProblems(
  problems: readonly SimProblem[],
  known: readonly SimProblem[],
): readonly SimProblem[] {
  const broken = new Set(known.map(fileOf));
  return problems.filter((problem) => !broken.has(fileOf(problem)));
}

/** Returns the file of a problem; the message of one that concerns several. */
const fileOf = ({ where, message }: SimProblem): string =>
  where?.replace(/(:\d+){1,2}$/, '') ?? message;
