import { basename, relative } from 'node:path';
import type { Clock } from '@virgule/core/clock';
import type { SimProblem } from '@virgule/core/simulator-api';
import { cliErrors } from '../../cli/cli-errors.js';
import { toSimProblem } from '../../project/project-problems.js';
import { saysInUse } from '../in-use.js';
import type { ReloadOutcome } from '../ipc.js';
import type { DevReport } from '../ui/dev-report.js';
import type { BotStart } from './bot-process.js';
import type { BotRunner, StartedBot } from './bot-runner.js';
import type { ShownProblems } from './shown-problems.js';
import { createSlowStart, type SlowStart } from './slow-start.js';

export interface BotUpdaterOptions {
  readonly root: string;
  readonly clock: Clock;
  readonly runner: BotRunner;
  readonly problems: ShownProblems;
  readonly report: (report: DevReport) => void;
  /** Whether dev ends: no process is started any more. */
  readonly isClosing: () => boolean;
}

/** Brings the files as they are now into the bot. One update at a time. */
export class BotUpdater {
  readonly #options: BotUpdaterOptions;
  /** Of the process that is being loaded. */
  #slowStart: SlowStart | undefined;
  /** Whether the project is known to need something that only one process can have. */
  #hasExclusive = false;

  constructor(options: BotUpdaterOptions) {
    this.#options = options;
  }

  /** The progress of the process that was started last. */
  get slowStart(): SlowStart | undefined {
    return this.#slowStart;
  }

  start(...how: Parameters<BotRunner['start']>): Promise<StartedBot> {
    const { clock, runner, report } = this.#options;
    this.#slowStart = createSlowStart(clock, (step) => report({ type: 'loading', ...step }));
    return runner.start(...how);
  }

  /**
   * Starts a new process next to the old one, which is stopped when the new one is loaded without problems. If
   * the new one lacks what only one process can have, such as a port, the old one is stopped first.
   */
  async replace(reason: string, isFirstStopped = false): Promise<void> {
    const { root, clock, runner, problems, report, isClosing } = this.#options;
    if (isClosing()) return;
    const beganMs = clock.monotonic();
    const hasProblems = (start: BotStart): boolean =>
      start.outcome === 'loaded' && start.problems.length > 0;
    let { start, registered } = await this.start(hasProblems, isFirstStopped || this.#hasExclusive);
    if (isClosing()) return;
    if (runner.isAnswering && registered === null && isInUse(start)) {
      this.#hasExclusive = true;
      ({ start, registered } = await this.start(undefined, true));
      if (isClosing()) return;
    }
    if (start.outcome === 'lost') {
      if (runner.isAnswering)
        problems.show([toSimProblem(cliErrors.E_CHILD_LOST({ how: start.how }), root)]);
      else runner.lost(start.how);
      return;
    }
    // It was lost right after its start, which was reported.
    if (start.outcome === 'loaded' && !runner.isAnswering) return;
    if (registered)
      report({ type: 'restart', reason, ms: Math.round(clock.monotonic() - beganMs) });
    problems.show(problemsOf(registered) ?? start.problems);
  }

  /** Loads changed files into the process that answers, or starts a new one if it cannot take them. */
  async change(files: readonly string[]): Promise<void> {
    const { root, clock, runner, problems, report } = this.#options;
    const beganMs = clock.monotonic();
    const names = files.map((file) => relative(root, file));
    if (files.some(isOfPackages)) runner.renew();
    // Without a process, the code was invalid or ended it: this change may be the fix.
    if (!runner.isAnswering) return this.replace(`${names.join(', ')} changed`);
    const file = names.length > 3 ? `${names.length} files` : names.join(', ');
    const slowReload = createSlowStart(clock, (step) => report({ type: 'loading', ...step }));
    slowReload.step(file);
    const result = await runner.reload(files).finally(() => slowReload.end());
    // The process was lost meanwhile; its successor reads the files as they are now.
    if (!result || result.outcome === 'unchanged') return;
    if (result.outcome === 'unsupported') return this.replace(result.reason);
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
    problems.show(result.problems);
  }
}

/** Returns whether a process could not start because another one has what it needs. */
const isInUse = (start: BotStart): boolean =>
  (start.outcome === 'lost' && start.isInUse === true) ||
  (start.outcome === 'refused' &&
    start.problems.some(({ code, message }) => code === 'E_SERVICES_FAILED' && saysInUse(message)));

/** Returns what is wrong after a change was taken; `undefined` if it was not. */
export const problemsOf = (result: ReloadOutcome | null): readonly SimProblem[] | undefined =>
  result && 'problems' in result ? result.problems : undefined;

/** What a package manager writes when it installs something. */
const PACKAGE_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
];
const isOfPackages = (file: string): boolean => PACKAGE_FILES.includes(basename(file));
