import { relative } from 'node:path';
import type { Clock } from '@virgule/core/clock';
import type { SimProblem } from '@virgule/core/simulator-api';
import { cliErrors } from '../../terminal/cli-errors.js';
import { toSimProblem } from '../../project/project-problems.js';
import { saysInUse } from '../in-use.js';
import type { DevReport } from '../ui/dev-report.js';
import type { BotStart } from './bot-process.js';
import type { BotRunner, StartedBot } from './bot-runner.js';
import type { DevPlatform } from './dev-platform.js';
import { newProblems } from './new-problems.js';

export interface BotUpdaterOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly platform: Pick<DevPlatform, 'report'>;
  readonly runner: BotRunner;
  readonly report: (report: DevReport) => void;
  /** Whether more files have changed and are about to be loaded. */
  readonly hasChanges: () => boolean;
  /** Whether dev ends: no process is started any more, and nothing reported. */
  readonly isClosing: () => boolean;
}

/**
 * Brings the files as they are now into the bot, one update at a time, and shows what is wrong with them in the terminal
 * and on the page.
 */
export class BotUpdater {
  readonly #options: BotUpdaterOptions;
  /** Whether the project is known to need something that only one process can have. */
  #hasExclusive = false;
  #problems: readonly SimProblem[] = [];
  /** What is wrong with the files as far as the process that answers has taken them. */
  #known: readonly SimProblem[] = [];
  /** Why a new process is needed that could not take over yet. */
  #refused: string | undefined;
  /** Shows problems that were not reported: other files have changed meanwhile, as in a checkout. */
  #showHeld: (() => void) | undefined;

  constructor(options: BotUpdaterOptions) {
    this.#options = options;
  }

  /** What is wrong with the project, as it was reported. */
  get problems(): readonly SimProblem[] {
    return this.#problems;
  }

  /**
   * Shows what became of the start of a process, or has a new one started.
   *
   * @param reason - why it was started, if it is not the first one.
   */
  started({ start, registered }: StartedBot, reason?: string): void {
    if (start.type === 'lost') this.#options.runner.lost(start.how);
    else if (registered === null) this.#show(start.problems, { refused: reason });
    else {
      this.#refused = undefined;
      this.#known = 'problems' in registered ? registered.problems : start.problems;
      this.#show(this.#known, { isFresh: true });
    }
  }

  /**
   * Starts a new process next to the old one, which is stopped when the new one is loaded without new problems. If
   * the new one lacks what only one process can have, such as a port, the old one is stopped first.
   */
  async replace(reason: string, isFirstStopped = false): Promise<void> {
    const { clock, runner, report, isClosing } = this.#options;
    if (isClosing()) return;
    this.#refused = reason;
    const beganMs = clock.monotonic();
    const hasProblems = (start: BotStart): boolean =>
      start.type === 'loaded' && newProblems(start.problems, this.#known).length > 0;
    const isFirst = isFirstStopped || this.#hasExclusive;
    let { start, registered } = await runner.start(hasProblems, isFirst);
    if (isClosing()) return;
    if (runner.isAnswering && registered === null && isInUse(start)) {
      this.#hasExclusive = true;
      ({ start, registered } = await runner.start(undefined, true));
      if (isClosing()) return;
    }
    if (start.type === 'lost' && runner.isAnswering)
      return this.#show([this.#lostProblem(start.how)], { refused: reason });
    // It was lost right after its start, which was reported.
    if (start.type === 'loaded' && !runner.isAnswering) return;
    if (registered)
      report({ type: 'restart', reason, ms: Math.round(clock.monotonic() - beganMs) });
    this.started({ start, registered }, reason);
  }

  /** Loads changed files into the process that answers, or starts a new one if it cannot take them. */
  async change(files: readonly string[]): Promise<void> {
    const { root, clock, runner, report } = this.#options;
    const beganMs = clock.monotonic();
    const names = files.map((file) => relative(root, file));
    // Without a process, the code was invalid or ended it: this change may be the fix.
    if (!runner.isAnswering) return this.replace(`${names.join(', ')} changed`);
    const result = await runner.reload(files);
    // The process was lost meanwhile; its successor reads the files as they are now.
    if (!result) return;
    if ('problems' in result) this.#known = result.problems;
    if (result.outcome === 'swapped') {
      const { evaluated, commands } = result;
      report({
        type: 'reload',
        files: names,
        evaluated,
        synced: commands !== null,
        ...(commands && { commands }),
        ...(result.problems.length > 0 && { problems: result.problems.length }),
        ms: Math.round(clock.monotonic() - beganMs),
      });
    }
    const reason = result.restart ?? this.#refused;
    if (reason !== undefined) return this.replace(reason);
    if ('problems' in result) this.#show(result.problems);
  }

  /** Reports the problems that were held back, unless more files have changed. */
  showHeld(): void {
    this.#showHeld?.();
  }

  /** Shows on the page that the process was lost, and in the terminal on a line of its own. */
  lost(how: string): void {
    const { platform, report } = this.#options;
    report({ type: 'lost', how });
    this.#problems = [this.#lostProblem(how)];
    platform.report(this.#problems);
  }

  #lostProblem(how: string): SimProblem {
    return toSimProblem(cliErrors.E_CHILD_LOST({ how }), this.#options.root);
  }

  /**
   * Reports the problems that are there now, if they are others than before, or if no process answers.
   *
   * @param how.isFresh - whether the process that answers has just started with them: it has no earlier version.
   * @param how.refused - why a new process was started that cannot take over because of them.
   */
  #show(
    next: readonly SimProblem[],
    how: { readonly isFresh?: true; readonly refused?: string | undefined } = {},
  ): void {
    const { runner, report, hasChanges, isClosing } = this.#options;
    const { isFresh, refused } = how;
    const isHeld = next.length > 0 && hasChanges();
    this.#showHeld = isHeld ? () => this.#show(next, how) : undefined;
    if (isClosing() || isHeld) return;
    const isSame = JSON.stringify(next) === JSON.stringify(this.#problems);
    const [by] = newProblems(next, this.#known);
    if (!isSame || isFresh || !runner.isAnswering) this.#report(next, isFresh);
    if (runner.isAnswering && refused !== undefined && by) {
      const text = `Restart held back by ${by.where ?? by.code} (${refused}). Other saves still reload.`;
      report({ type: 'notice', text });
    }
  }

  #report(next: readonly SimProblem[], isFresh?: true): void {
    const { platform, runner, report } = this.#options;
    const hadReported = this.#problems.some(({ code }) => code !== 'E_CHILD_LOST');
    this.#problems = next;
    platform.report(next);
    if (next.length > 0)
      report({
        type: 'problems',
        problems: next,
        answering: runner.isAnswering,
        ...(isFresh && { fresh: true }),
      });
    else if (hadReported) report({ type: 'fixed' });
  }
}

/** Returns whether a process could not start because another one has what it needs. */
const isInUse = (start: BotStart): boolean =>
  (start.type === 'lost' && start.isInUse === true) ||
  (start.type === 'refused' &&
    start.problems.some(({ code, message }) => code === 'E_SERVICES_FAILED' && saysInUse(message)));
