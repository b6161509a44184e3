import type { SimProblem } from '@virgule/core/simulator-api';
import type { DevReport } from '../ui/dev-report.js';
import type { DevPlatform } from './dev-platform.js';

export interface ShownProblemsOptions {
  readonly platform: Pick<DevPlatform, 'report'>;
  readonly report: (report: DevReport) => void;
  /** Whether a process answers now. */
  readonly isAnswering: () => boolean;
  /** Whether more files have changed and are about to be loaded. */
  readonly hasChanges: () => boolean;
  /** Whether dev ends: nothing is shown any more. */
  readonly isClosing: () => boolean;
}

/** The problems of the project, in the terminal and on the page. */
export class ShownProblems {
  readonly #options: ShownProblemsOptions;
  #current: readonly SimProblem[] = [];
  /** Problems that were not reported: other files have changed meanwhile, as in a checkout. */
  #held: readonly SimProblem[] | undefined;

  constructor(options: ShownProblemsOptions) {
    this.#options = options;
  }

  get current(): readonly SimProblem[] {
    return this.#current;
  }

  /** Reports the problems that are there now, if they are others than before. */
  show(next: readonly SimProblem[]): void {
    const { platform, report, isAnswering, hasChanges, isClosing } = this.#options;
    this.#held = next.length > 0 && hasChanges() ? next : undefined;
    if (isClosing() || this.#held) return;
    if (JSON.stringify(next) === JSON.stringify(this.#current)) return;
    const hadReported = this.#current.some(({ code }) => code !== 'E_CHILD_LOST');
    this.#current = next;
    platform.report(next);
    if (next.length > 0) report({ type: 'problems', problems: next, answering: isAnswering() });
    else if (hadReported) report({ type: 'fixed' });
  }

  /** Reports the problems that were held back, unless more files have changed. */
  showHeld(): void {
    if (this.#held) this.show(this.#held);
  }

  /** Shows on the page that the process was lost, which has a line of its own in the terminal. */
  lost(problem: SimProblem): void {
    this.#current = [problem];
    this.#options.platform.report(this.#current);
  }
}
