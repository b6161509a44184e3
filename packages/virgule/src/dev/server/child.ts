import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import type { Timer } from '@virgule/core/clock';
import { isObject } from '@virgule/core/objects';
import type { SimBotAnswer, SimBotQuestion, SimProblem } from '@virgule/core/simulator-api';
import type { BotRequest, FromChild, Keyed, ReloadOutcome, ToChild } from '../ipc.js';
import type { DevPlatform } from './dev-platform.js';
import { forkChild, type ChildEnd, type ForkOptions } from './fork-child.js';
import type { CommandFrame } from './frames.js';

/** Options of a child. With `inspectPort`, a debugger may pause the process, so the process has no time limits. */
export interface ChildOptions extends Omit<ForkOptions, 'key'> {
  readonly platform: Pick<DevPlatform, 'token' | 'baseUrl' | 'live'>;
  /** Receives the child's messages, except the results of its start and of requests. */
  readonly onMessage: (message: FromChild) => void;
  /** Called when the event loop of a loaded child has been blocked for more than a second. */
  readonly onSilent: () => void;
  /** Returns whether a user waits for the first response to a command. */
  readonly isAwaited: () => boolean;
  /** Returns the file or package that is being loaded, for people. */
  readonly loading: () => string | undefined;
  /** Called when a loaded process ended without being stopped. */
  readonly onLost: (how: string) => void;
}

/** Outcome of the start of a child. */
export type ChildStart =
  | Extract<FromChild, { readonly type: 'loaded' | 'refused' }>
  | {
      readonly type: 'lost';
      readonly how: string;
      /** True if the child ended because another process holds a needed resource. */
      readonly isInUse?: true | undefined;
    };

type Reply = ReloadOutcome | SimBotAnswer;

interface Asked {
  readonly request: BotRequest;
  /** Receives the reply; `null` if there will be none. */
  readonly settle: (reply: Reply | null) => void;
  /** Stops waiting for the reply. */
  readonly giveUp: () => void;
}

/** Time limit for loading a bot, in milliseconds. Code that never finishes would delay every later change. */
export const START_MS = 30_000;
/** Time limit for stopping a process, in milliseconds: the 10 s of the handlers and a margin. */
export const STOP_MS = 11_000;
/** Shorter time limit, in milliseconds, for a process that is silent before and after the request: an endless loop. */
export const SILENT_STOP_MS = 1_000;
/** Time limit for a reload in milliseconds, after which a new process is requested. */
export const RELOAD_MS = 10_000;
/** Additional time limit for each further file, in milliseconds: a checkout on a busy machine is slow, not stuck. */
const MORE_MS = 100;
/** Time limit for a question of the page, in milliseconds. */
const ANSWER_MS = 5_000;

/** Interval of the checks for a silent process, in milliseconds. The sleep of a machine counts as one check. */
const CHECK_EVERY_MS = 250;
/** Number of checks without a heartbeat after which a heartbeat is overdue. */
const QUIET_CHECKS = 6;
/** Number of checks during which a process may be silent: 10 s, or 5 s while a user waits for an answer. */
const SILENT_CHECKS = { usual: 40, awaited: 20 };

/** Returns the additional time limit for a reload of several files, in milliseconds. */
export const moreTimeFor = (files: readonly string[]): number => (files.length - 1) * MORE_MS;

/** Public members of a child. */
export type Child = Pick<ForkedChild, keyof ForkedChild>;

/** Process that runs the bot's code. */
export class ForkedChild {
  readonly #options: ChildOptions;
  readonly #key = randomBytes(16).toString('hex');
  readonly #fork;
  #isLoaded = false;
  /** Number of checks since the last message, and the timer of the next check. */
  #quietChecks = 0;
  #check: Timer | undefined;
  /** Requests without a reply by number, oldest first. */
  readonly #asked = new Map<number, Asked>();
  #askedCount = 0;
  #isStopping = false;
  #killedFor: string | undefined;
  /** Event whose handling began last, for people. */
  #handling: string | undefined;
  #startTimer: Timer | undefined;
  #settleStart: (start: ChildStart) => void = () => {};
  /** Commands that the child has begun and may not have answered, oldest first. */
  readonly begun = new Set<CommandFrame>();
  /** Settles once the bot is loaded, or its start has failed. */
  readonly started: Promise<ChildStart>;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** True if the child was killed because it did not respond. */
  wasHung = false;
  /** Current problems of the files that the child has loaded. */
  problems: readonly SimProblem[] = [];

  constructor(options: ChildOptions) {
    const { env, platform, clock, loading } = options;
    this.#options = options;
    this.#fork = forkChild({ ...options, key: this.#key });
    this.started = new Promise((resolve) => (this.#settleStart = resolve));
    if (!this.#isInspected)
      this.#startTimer = clock.setTimeout(() => {
        const what = loading();
        const where = what === undefined ? '' : `: still loading ${what}`;
        this.giveUp(`not loaded after ${START_MS / 1_000} s${where}`);
      }, START_MS);
    this.#fork.child.on('message', (message) => {
      if (isKeyed(message, this.#key)) this.#receive(message.message);
    });
    this.ended = this.#fork.ended.then((end) => this.#end(end));
    const { token, baseUrl, live } = platform;
    this.send({ type: 'begin', env, key: this.#key, token, baseUrl, live });
  }

  get pid(): number | undefined {
    return this.#fork.child.pid;
  }

  /** Sends a message. `onUndelivered` is called if the process can no longer receive the message. */
  send(message: ToChild, onUndelivered: () => void = () => {}): void {
    // The `exit` event reports a channel that has just closed; an error here would repeat the report.
    const { child } = this.#fork;
    if (child.connected) child.send(message, (error) => error && onUndelivered());
    else onUndelivered();
  }

  /** Kills a child that is not loaded yet, and reports the reason. */
  giveUp(how: string): void {
    this.#killedFor = how;
    this.#settleStart({ type: 'lost', how });
    this.#fork.kill();
  }

  /**
   * Applies changed files, and registers the commands; `null` when the process ended. A late reply leads to the request
   * of a new process.
   */
  reload(files: readonly string[]): Promise<ReloadOutcome | null> {
    const limitMs = this.#isInspected ? Infinity : RELOAD_MS + moreTimeFor(files);
    return this.#ask({ type: 'reload', files }, limitMs, () => {
      const { problems } = this;
      const restart = 'a reload did not finish';
      return { isNew: false, evaluated: 0, commands: null, problems, restart };
    });
  }

  /** Stops waiting for all replies, because a new process will replace the child. */
  giveUpReload(): void {
    for (const { giveUp } of this.#asked.values()) giveUp();
  }

  /** Asks about tasks and storage; resolves to `null` when the process ended or did not answer within 5 s. */
  ask(question: SimBotQuestion): Promise<SimBotAnswer | null> {
    return this.#ask<SimBotAnswer>({ type: 'question', question }, ANSWER_MS, () => null);
  }

  /** Stops the process: gracefully if it is loaded, else by force. A graceful stop has a time limit. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#isStopping = true;
    this.#check?.cancel();
    if (this.#isLoaded) this.send({ type: 'stop' });
    else this.#fork.kill();
    const killIfQuiet = () => this.#quietChecks >= QUIET_CHECKS && this.#fork.kill();
    const timers = [
      clock.setTimeout(killIfQuiet, SILENT_STOP_MS),
      clock.setTimeout(this.#fork.kill, STOP_MS),
    ];
    await this.ended;
    for (const timer of timers) timer.cancel();
  }

  get #isInspected(): boolean {
    return this.#options.inspectPort !== undefined;
  }

  /** Files of the oldest reload in progress, for people. */
  get #reloading(): string | undefined {
    for (const { request } of this.#asked.values())
      if (request.type === 'reload' && request.files.length > 0)
        return request.files.map((file) => relative(this.#options.root, file)).join(', ');
    return undefined;
  }

  /** Checks later whether the process has sent a heartbeat, again and again. */
  #checkLater(): void {
    const { clock, onSilent, isAwaited } = this.#options;
    this.#check = clock.setTimeout(() => {
      this.#quietChecks += 1;
      if (this.#quietChecks === QUIET_CHECKS) onSilent();
      const isLong = this.#quietChecks > SILENT_CHECKS.awaited;
      if (isLong && !this.#isInspected && (this.#quietChecks > SILENT_CHECKS.usual || isAwaited()))
        this.#killHung();
      else this.#checkLater();
    }, CHECK_EVERY_MS);
  }

  #killHung(): void {
    const files = this.#reloading;
    const what = files === undefined ? this.#handling : `the change of ${files}`;
    const where = what === undefined ? '' : `, most likely in ${what}`;
    const seconds = Math.floor((this.#quietChecks * CHECK_EVERY_MS) / 1_000);
    this.#killedFor = `no response for ${seconds} s${where}`;
    this.wasHung = true;
    this.#fork.kill();
  }

  #receive(said: FromChild): void {
    this.#quietChecks = 0;
    switch (said.type) {
      case 'loaded':
        this.#startTimer?.cancel();
        this.#isLoaded = true;
        this.#checkLater();
        this.problems = said.problems;
        this.#settleStart(said);
        break;
      case 'refused':
        this.#isStopping = true;
        this.#startTimer?.cancel();
        this.#settleStart(said);
        break;
      case 'reply':
        this.#asked.get(said.number)?.settle(said.value);
        break;
      case 'handling':
        this.#handling = said.what;
        this.#options.onMessage(said);
        break;
      default:
        this.#options.onMessage(said);
    }
  }

  /** Settles pending requests, and reports the end unless the child was stopped. */
  #end({ how, isInUse }: ChildEnd): void {
    const what = this.#isLoaded ? this.#reloading : this.#options.loading();
    const where = what === undefined ? '' : ` while loading ${what}`;
    const reason = this.#killedFor ?? how + where;
    this.#startTimer?.cancel();
    this.#check?.cancel();
    for (const { settle } of this.#asked.values()) settle(null);
    this.#settleStart({ type: 'lost', how: reason, ...(isInUse && { isInUse }) });
    if (this.#isLoaded && !this.#isStopping) this.#options.onLost(reason);
  }

  #ask<Wanted extends Reply>(
    request: BotRequest,
    limitMs: number,
    late: () => Wanted | null,
  ): Promise<Wanted | null> {
    this.#askedCount += 1;
    const number = this.#askedCount;
    return new Promise((resolve) => {
      const giveUp = (): void => {
        timer.cancel();
        resolve(late());
      };
      const timer = this.#options.clock.setTimeout(giveUp, limitMs);
      const settle = (reply: Reply | null): void => {
        timer.cancel();
        this.#asked.delete(number);
        if (reply && 'problems' in reply) this.problems = reply.problems;
        // Each request has one type of reply.
        resolve(reply as Wanted | null);
      };
      this.#asked.set(number, { request, settle, giveUp });
      this.send({ ...request, number }, () => settle(null));
    });
  }
}

/** Returns whether a message carries the key. Processes of one version need no further validation. */
const isKeyed = (message: unknown, key: string): message is Keyed =>
  isObject(message) && 'key' in message && message.key === key;
