import { relative } from 'node:path';
import type { Clock, Timer } from '@virgule/core/clock';
import type { ReloadOutcome, ToChild } from '../ipc.js';

/** How long a change may take to be taken over, before a new process is asked for. */
export const RELOAD_MS = 10_000;

export interface ReloadRequestsOptions {
  readonly root: string;
  readonly clock: Clock;
  /** Whether a debugger may pause the process: it gets unlimited time. */
  readonly isInspected: boolean;
  /** Whether the process can receive a message. */
  readonly isConnected: () => boolean;
  readonly send: (message: ToChild) => void;
}

/** The requests to a process that it answers with `reloaded`. */
export class ReloadRequests {
  readonly #options: ReloadRequestsOptions;
  readonly #waiting = new Map<number, (result: ReloadOutcome | null) => void>();
  /** The files that are being taken over, by the number of the request. */
  readonly #taking = new Map<number, string>();
  #count = 0;
  #isStuck = false;

  constructor(options: ReloadRequestsOptions) {
    this.#options = options;
  }

  /** The files of the oldest change that is being taken over. */
  get taking(): string | undefined {
    return this.#taking.values().next().value;
  }

  /** Registers the commands; `null` when the process ended meanwhile. */
  register(): Promise<ReloadOutcome | null> {
    return this.#ask((number) => ({ type: 'register', number }));
  }

  /** Takes changed files over; `null` when the process ended meanwhile. */
  reload(files: readonly string[]): Promise<ReloadOutcome | null> {
    const names = files.map((file) => relative(this.#options.root, file)).join(', ');
    return this.#ask((number) => ({ type: 'reload', number, files }), names);
  }

  /** Called with the answer of the process. */
  answered(number: number, result: ReloadOutcome): void {
    this.#taking.delete(number);
    this.#waiting.get(number)?.(result);
  }

  /** Called when the process is gone. */
  end(): void {
    for (const settle of this.#waiting.values()) settle(null);
  }

  #ask(message: (number: number) => ToChild, files?: string): Promise<ReloadOutcome | null> {
    const { clock, isInspected, isConnected, send } = this.#options;
    if (!isConnected()) return Promise.resolve(null);
    if (this.#isStuck) return Promise.resolve(STUCK);
    this.#count += 1;
    const number = this.#count;
    return new Promise((resolve) => {
      let timer: Timer | undefined;
      const settle = (result: ReloadOutcome | null): void => {
        timer?.cancel();
        this.#waiting.delete(number);
        resolve(result);
      };
      if (!isInspected)
        timer = clock.setTimeout(() => {
          this.#isStuck = true;
          settle(STUCK);
        }, RELOAD_MS);
      this.#waiting.set(number, settle);
      if (files !== undefined) this.#taking.set(number, files);
      send(message(number));
    });
  }
}

/** Only another process can continue: this one is still busy with an earlier change. */
const STUCK: ReloadOutcome = {
  outcome: 'unsupported',
  reason: `a reload did not finish within ${RELOAD_MS / 1_000} s`,
};
