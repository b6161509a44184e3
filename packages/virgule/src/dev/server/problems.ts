import type { SimProblem } from '@virgule/core/simulator-api';
import { toSimProblem } from '../../project/project-problems.js';
import { cliErrors } from '../../terminal/cli-errors.js';
import { saysInUse } from '../in-use.js';
import type { ChildStart } from './child.js';
import type { SupervisorOptions } from './supervisor.js';

type ProblemsOptions = Pick<
  SupervisorOptions,
  'root' | 'platform' | 'report' | 'hasChanges' | 'isClosing'
> & {
  /** Returns the problems of the child that answers; `undefined` if no child answers. */
  readonly known: () => readonly SimProblem[] | undefined;
};

/** Problems of the project, shown in the terminal and on the page. */
export class Problems {
  readonly #options: ProblemsOptions;
  #shown: readonly SimProblem[] = [];

  constructor(options: ProblemsOptions) {
    this.#options = options;
  }

  get shown(): readonly SimProblem[] {
    return this.#shown;
  }

  /**
   * Reports the current problems, if they have changed, or if no child answers. Reports none while more files have
   * changed, as in a checkout: the next load finds the problems that are left.
   *
   * @param found - `isFresh`: the child that answers has just started with these problems; `refused`: the reason for a
   * new child that cannot take over because of these problems.
   */
  show(
    next: readonly SimProblem[],
    { isFresh, refused }: { isFresh?: true; refused?: string | undefined } = {},
  ): void {
    const { hasChanges, isClosing, report } = this.#options;
    const known = this.#options.known();
    if (isClosing() || (next.length > 0 && hasChanges())) return;
    const isSame = JSON.stringify(next) === JSON.stringify(this.#shown);
    if (!isSame || isFresh || !known) this.#report(next, isFresh);
    const [by] = newProblems(next, known ?? next);
    if (refused !== undefined && by) {
      const text = `Restart held back by ${by.where ?? by.code} (${refused}). Other saves still reload.`;
      report({ type: 'notice', text });
    }
  }

  /** Reports a lost child on the page, and in the terminal on a separate line. */
  showLost(how: string): void {
    this.#options.report({ type: 'lost', how });
    this.#shown = [this.ofLost(how)];
    this.#options.platform.report(this.#shown);
  }

  ofLost(how: string): SimProblem {
    return toSimProblem(cliErrors.E_CHILD_LOST({ how }), this.#options.root);
  }

  #report(next: readonly SimProblem[], isFresh?: true): void {
    const { platform, known, report } = this.#options;
    const hadReported = this.#shown.some(({ code }) => code !== 'E_CHILD_LOST');
    this.#shown = next;
    platform.report(next);
    if (next.length > 0) {
      const answering = known() !== undefined;
      report({ type: 'problems', problems: next, answering, ...(isFresh && { fresh: true }) });
    } else if (hadReported) report({ type: 'fixed' });
  }
}

/**
 * Returns the problems of a new child in files where the answering child has none. Without any, the new child takes
 * over.
 */
export function newProblems(problems: readonly SimProblem[], known: readonly SimProblem[]) {
  const broken = new Set(known.map(fileOf));
  return problems.filter((problem) => !broken.has(fileOf(problem)));
}

/** Returns the file of a problem, or the message of a problem that concerns several files. */
const fileOf = ({ where, message }: SimProblem): string =>
  where?.replace(/(:\d+){1,2}$/, '') ?? message;

/** Returns whether a child could not start because another process holds a needed resource. */
export const isInUse = (start: ChildStart): boolean =>
  (start.type === 'lost' && start.isInUse === true) ||
  (start.type === 'refused' &&
    start.problems.some(({ code, message }) => code === 'E_SERVICES_FAILED' && saysInUse(message)));
