import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import type { Timer } from '@virgule/core/clock';
import { isObject } from '@virgule/core/objects';
import type { SimBotAnswer, SimBotQuestion } from '@virgule/core/simulator-api';
import type { BotRequest, FromChild, Keyed, ReloadOutcome, ToChild } from '../ipc.js';
import type { DevPlatform } from './dev-platform.js';
import { forkChild, type ChildEnd, type ForkOptions } from './fork-child.js';
import type { CommandFrame } from './frames.js';
import { createHeartbeat, type Heartbeat } from './heartbeat.js';

/** With `inspectPort`, a debugger may pause the process: it gets unlimited time. */
export interface ChildOptions extends Omit<ForkOptions, 'key'> {
  readonly platform: Pick<DevPlatform, 'token' | 'baseUrl' | 'live'>;
  /** Receives its messages, other than the results of its start and of reloads. */
  readonly onMessage: (message: FromChild) => void;
  /** Its event loop has not turned for more than a second. Only of one that is loaded. */
  readonly onSilent: () => void;
  /** Whether a user waits for the first sign of a command. */
  readonly isAwaited: () => boolean;
  /** Returns what it is loading, for people. */
  readonly loading: () => string | undefined;
  /** It runs, but should be replaced. */
  readonly onHeavy: (reason: string) => void;
  /** The process ended although it was not stopped. */
  readonly onLost: (how: string) => void;
}

/** What became of the start of a child. */
export type ChildStart =
  | Extract<FromChild, { readonly type: 'loaded' | 'refused' }>
  | {
      readonly type: 'lost';
      readonly how: string;
      /** Whether it ended because another process has what it needs. */
      readonly isInUse?: true | undefined;
    };

type Reply = ReloadOutcome | SimBotAnswer;

interface Asked {
  readonly request: BotRequest;
  /** Takes the reply; `null` if there will be none. */
  readonly settle: (reply: Reply | null) => void;
  /** Stops waiting for the reply. */
  readonly giveUp: () => void;
}

/** How long a bot may take to load. Code that never gets to its end would hold up every later change. */
export const START_MS = 30_000;
/** How long a process may take to end in good order: the handlers' 10 s and a little more. */
export const STOP_MS = 11_000;
/** The same for one that was silent before and sends nothing: code that runs in circles never ends. */
export const SILENT_STOP_MS = 1_000;
/** How long a change may take to be taken over, before a new process is asked for. */
export const RELOAD_MS = 10_000;
/** How much longer for each more file: a checkout on a busy machine takes its time, and is not stuck. */
const MORE_MS = 100;
/** How long a question of the page may take. */
const ANSWER_MS = 5_000;
/** Only another process can continue: this one is still busy with an earlier change. */
const STUCK: ReloadOutcome = { outcome: 'unchanged', restart: 'a reload did not finish' };

/** Returns how much longer than one file many may take, in milliseconds. */
export const moreTimeFor = (files: readonly string[]): number => (files.length - 1) * MORE_MS;

/** The child as the server sees it. */
export type Child = Pick<ForkedChild, keyof ForkedChild>;

/** A process that runs the bot's code. */
export class ForkedChild {
  readonly #options: ChildOptions;
  readonly #key = randomBytes(16).toString('hex');
  readonly #fork;
  /** Once it is loaded. */
  #heartbeat: Heartbeat | undefined;
  /** The requests without a reply by number, the oldest first. */
  readonly #asked = new Map<number, Asked>();
  #askedCount = 0;
  #isStopping = false;
  /** Whether a change was not taken over in time. */
  #isStuck = false;
  #killedFor: string | undefined;
  /** The event that it began to handle last, for people. */
  #handling: string | undefined;
  #startTimer: Timer | undefined;
  #settleStart: (start: ChildStart) => void = () => {};
  /** The commands that it has begun and that may be without an answer, oldest first. */
  readonly begun = new Set<CommandFrame>();
  /** Settles once the bot is loaded, or will never be. */
  readonly started: Promise<ChildStart>;
  /** Resolves when the process is gone. */
  readonly ended: Promise<void>;
  /** Whether its last heartbeat is overdue. */
  isSilent = false;
  /** Whether it was ended because it did not respond. */
  wasHung = false;

  constructor(options: ChildOptions) {
    const { env, platform, clock, loading, onLine } = options;
    this.#options = options;
    this.#fork = forkChild({
      ...options,
      key: this.#key,
      onLine: (...line) => {
        this.#heartbeat?.printed();
        onLine(...line);
      },
    });
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

  /** Sends a message. `onUndelivered` is called if the process can no longer receive it. */
  send(message: ToChild, onUndelivered: () => void = () => {}): void {
    // A channel that has just closed is reported by `exit`; an error here would repeat it.
    const { child } = this.#fork;
    if (child.connected) child.send(message, (error) => error && onUndelivered());
    else onUndelivered();
  }

  /** Ends one that is not loaded yet, with the reason to report. */
  giveUp(how: string): void {
    this.#killedFor = how;
    this.#settleStart({ type: 'lost', how });
    this.#fork.kill();
  }

  /** Registers its commands, as it is the one that answers now; `null` when the process ended meanwhile. */
  register(): Promise<ReloadOutcome | null> {
    return this.#change({ type: 'register' }, RELOAD_MS);
  }

  /** Takes changed files over; `null` when the process ended meanwhile. From the first that takes too long, all do. */
  reload(files: readonly string[]): Promise<ReloadOutcome | null> {
    return this.#change({ type: 'reload', files }, RELOAD_MS + moreTimeFor(files));
  }

  /** Stops waiting for a change that is being taken over: a new process is wanted instead. */
  giveUpReload(): void {
    for (const { request, giveUp } of this.#asked.values())
      if (request.type !== 'question') giveUp();
  }

  /** Asks what the bot keeps; `null` when the process does not answer within 5 s, or ended. */
  ask(question: SimBotQuestion): Promise<SimBotAnswer | null> {
    return this.#ask<SimBotAnswer>({ type: 'question', question }, ANSWER_MS, () => null);
  }

  /** Ends it: in good order, or by force when it is not loaded yet or that takes too long. */
  async stop(): Promise<void> {
    const { clock } = this.#options;
    this.#isStopping = true;
    this.#heartbeat?.stop();
    if (this.#heartbeat) this.send({ type: 'stop' });
    else this.#fork.kill();
    const timers = [
      clock.setTimeout(() => this.isSilent && this.#fork.kill(), SILENT_STOP_MS),
      clock.setTimeout(this.#fork.kill, STOP_MS),
    ];
    await this.ended;
    for (const timer of timers) timer.cancel();
  }

  get #isInspected(): boolean {
    return this.#options.inspectPort !== undefined;
  }

  /** The files of the oldest change that is being taken over, for people. */
  get #reloading(): string | undefined {
    for (const { request } of this.#asked.values())
      if (request.type === 'reload')
        return request.files.map((file) => relative(this.#options.root, file)).join(', ');
    return undefined;
  }

  #createHeartbeat(): Heartbeat {
    const { clock, onSilent, onHeavy, isAwaited } = this.#options;
    return createHeartbeat({
      clock,
      onSilent: (isSilent) => {
        this.isSilent = isSilent;
        if (isSilent) onSilent();
      },
      onHeavy,
      isAwaited,
      isPatient: this.#isInspected,
      onTimeout: (seconds) => {
        const files = this.#reloading;
        const what = files === undefined ? this.#handling : `the change of ${files}`;
        const where = what === undefined ? '' : `, most likely in ${what}`;
        this.#killedFor = `no response for ${seconds} s${where}`;
        this.wasHung = true;
        this.#fork.kill();
      },
    });
  }

  #receive(said: FromChild): void {
    this.#heartbeat?.received();
    switch (said.type) {
      case 'loaded':
        this.#startTimer?.cancel();
        this.#heartbeat = this.#createHeartbeat();
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
      case 'alive':
        this.#heartbeat?.weighed(said.heapBytes, said.heapLimitBytes);
        break;
      default:
        this.#options.onMessage(said);
    }
  }

  /** Settles what waits for it, and reports its end unless it was stopped. */
  #end({ how, isInUse }: ChildEnd): void {
    const what = this.#heartbeat ? this.#reloading : this.#options.loading();
    const where = what === undefined ? '' : ` while loading ${what}`;
    const reason = this.#killedFor ?? how + where;
    this.#startTimer?.cancel();
    this.#heartbeat?.stop();
    for (const { settle } of this.#asked.values()) settle(null);
    this.#settleStart({ type: 'lost', how: reason, ...(isInUse && { isInUse }) });
    if (this.#heartbeat && !this.#isStopping) this.#options.onLost(reason);
  }

  async #change(
    request: Exclude<BotRequest, { type: 'question' }>,
    limitMs: number,
  ): Promise<ReloadOutcome | null> {
    if (this.#isStuck) return STUCK;
    return this.#ask(request, this.#isInspected ? Infinity : limitMs, () => {
      this.#isStuck = true;
      return STUCK;
    });
  }

  #ask<Wanted extends Reply>(
    request: BotRequest,
    limitMs: number,
    late: () => Wanted | null,
  ): Promise<Wanted | null> {
    this.#askedCount += 1;
    const number = this.#askedCount;
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
      this.send({ ...request, number }, () => settle(null));
    });
  }
}

/** Returns whether a message carries the key. Both ends are of one version: its type is what it says. */
const isKeyed = (message: unknown, key: string): message is Keyed =>
  isObject(message) && 'key' in message && message.key === key;
