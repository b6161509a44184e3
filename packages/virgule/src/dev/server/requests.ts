import type { Clock } from '@virgule/core/clock';
import type { SimBotAnswer, SimBotQuestion } from '@virgule/core/simulator-api';
import type { BotRequest, ReloadOutcome, ToChild } from '../ipc.js';

export interface RequestsOptions {
  readonly clock: Clock;
  /** Whether the process may be paused, so that changes have no time limit. */
  readonly isPatient: boolean;
  /** Sends a message. `onUndelivered` is called if the process can no longer receive it. */
  readonly send: (message: ToChild, onUndelivered: () => void) => void;
}

type Reply = ReloadOutcome | SimBotAnswer;

interface Asked {
  readonly request: BotRequest;
  /** Takes the reply; `null` if there will be none. */
  readonly settle: (reply: Reply | null) => void;
  /** Stops waiting for the reply. */
  readonly giveUp: () => void;
}

/** How long a change may take to be taken over, before a new process is asked for. */
export const RELOAD_MS = 10_000;
/** How much longer for each more file: a checkout on a busy machine takes its time, and is not stuck. */
const MORE_MS = 100;

/** Returns how much longer than one file many may take, in milliseconds. */
export const moreTimeFor = (files: readonly string[]): number => (files.length - 1) * MORE_MS;

/** How long a question of the page may take. */
const ANSWER_MS = 5_000;
/** Only another process can continue: this one is still busy with an earlier change. */
const STUCK: ReloadOutcome = {
  outcome: 'unchanged',
  restart: 'a reload did not finish',
};

/** Asks a process, and matches its replies with the requests. All promises resolve to `null` when it ends. */
export class Requests {
  readonly #options: RequestsOptions;
  /** By number; the oldest first. */
  readonly #asked = new Map<number, Asked>();
  #count = 0;
  /** Whether a change was not taken over in time. */
  #isStuck = false;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Returns the files of the oldest change that is being taken over. */
  get reloading(): readonly string[] | undefined {
    for (const { request } of this.#asked.values())
      if (request.type === 'reload') return request.files;
    return undefined;
  }

  /** Has the process take over what the request says. From the first one that takes too long, all do. */
  async change(request: Exclude<BotRequest, { type: 'question' }>): Promise<ReloadOutcome | null> {
    if (this.#isStuck) return STUCK;
    const limitMs = RELOAD_MS + (request.type === 'reload' ? moreTimeFor(request.files) : 0);
    return this.#ask(request, this.#options.isPatient ? Infinity : limitMs, () => {
      this.#isStuck = true;
      return STUCK;
    });
  }

  /** Asks what the bot keeps; resolves to `null` also when there is no answer within 5 s. */
  answer(question: SimBotQuestion): Promise<SimBotAnswer | null> {
    return this.#ask<SimBotAnswer>({ type: 'question', question }, ANSWER_MS, () => null);
  }

  /** Asks for a new process if a change is being taken over. */
  giveUpChanges(): void {
    for (const { request, giveUp } of this.#asked.values())
      if (request.type !== 'question') giveUp();
  }

  replied(number: number, reply: Reply): void {
    this.#asked.get(number)?.settle(reply);
  }

  /** The process has ended. */
  end(): void {
    for (const { settle } of this.#asked.values()) settle(null);
  }

  #ask<Wanted extends Reply>(
    request: BotRequest,
    limitMs: number,
    late: () => Wanted | null,
  ): Promise<Wanted | null> {
    this.#count += 1;
    const number = this.#count;
    return new Promise((resolve) => {
      // It stays among the requests: the process is still busy with it.
      const giveUp = (): void => {
        timer.cancel();
        resolve(late());
      };
      const timer = this.#options.clock.setTimeout(giveUp, limitMs);
      const settle = (reply: Reply | null): void => {
        timer.cancel();
        this.#asked.delete(number);
        // Each request has one type of reply.
        resolve(reply as Wanted | null);
      };
      this.#asked.set(number, { request, settle, giveUp });
      this.#options.send({ ...request, number }, () => settle(null));
    });
  }
}
