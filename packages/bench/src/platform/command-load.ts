import { percentile } from '../rounds/statistics.js';
import type { Dialect } from './dialect.js';
import { commandOptions, ROLL, rollAnswer } from './sample-data.js';
import { textFrame } from './web-socket-frames.js';

export interface CommandLoadOptions {
  /** Total number of commands. */
  readonly count: number;
  /** Number of concurrent unanswered commands. */
  readonly outstanding: number;
  /** Network latency before each answer is confirmed, in milliseconds. */
  readonly delayMs: number;
  /** Time between a confirmed answer and the next command, in milliseconds. @defaultValue 0 */
  readonly pauseMs?: number;
}

export interface CommandFigures {
  readonly perSecond: number;
  /** Time from the frame on the socket to the answer on the wire, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Number of answers with unexpected content. */
  readonly wrong: number;
  /** Number of second answers to a command. */
  readonly doubled: number;
}

/** The part of the platform that a run of commands uses. */
export interface CommandPorts {
  /** Sends frames over the gateway, in one write. */
  readonly send: (frames: Buffer) => void;
  readonly dialect: Dialect;
  /** Number of the first interaction; the others follow. */
  readonly firstIndex: number;
}

/** Keeps a number of commands unanswered until all are answered, and checks that each gets exactly one answer. */
export class CommandLoad {
  readonly done: Promise<CommandFigures>;
  readonly delayMs: number;
  readonly #count: number;
  readonly #pauseMs: number;
  readonly #ports: CommandPorts;
  readonly #answered: Uint8Array;
  readonly #sentAtMs: Float64Array;
  readonly #tookMs: Float64Array;
  readonly #startMs = performance.now();
  #resolve: (figures: CommandFigures) => void = () => {};
  #sent = 0;
  #due = 0;
  #finished = 0;
  #wrong = 0;
  #doubled = 0;

  constructor(
    { count, outstanding, delayMs, pauseMs = 0 }: CommandLoadOptions,
    ports: CommandPorts,
  ) {
    this.delayMs = delayMs;
    this.#count = count;
    this.#pauseMs = pauseMs;
    this.#ports = ports;
    this.#answered = new Uint8Array(count);
    this.#sentAtMs = new Float64Array(count);
    this.#tookMs = new Float64Array(count);
    this.done = new Promise((resolve) => (this.#resolve = resolve));
    this.#sendLater(Math.min(outstanding, count));
  }

  /**
   * Records an answer. Returns its expected content, or `undefined` if the command has been answered or
   * belongs to another run. Call `finished()` once the answer is confirmed.
   */
  answer(index: number, content: unknown): string | undefined {
    const place = index - this.#ports.firstIndex;
    if (!(place >= 0 && place < this.#sent)) return undefined;
    if (this.#answered[place] === 1) {
      this.#doubled += 1;
      return undefined;
    }
    this.#answered[place] = 1;
    this.#tookMs[place] = performance.now() - (this.#sentAtMs[place] ?? 0);
    const expected = rollAnswer(index);
    if (content !== expected) this.#wrong += 1;
    return expected;
  }

  finished(): void {
    this.#finished += 1;
    if (this.#finished === this.#count) this.#finish();
    else if (this.#sent + this.#due < this.#count) this.#sendLater(1);
  }

  // All commands that are due in one turn of the event loop are sent in one write.
  #sendLater(count: number): void {
    const send = (): void => this.#sendDue();
    if (this.#due === 0 && this.#pauseMs > 0) setTimeout(send, this.#pauseMs);
    else if (this.#due === 0) setImmediate(send);
    this.#due += count;
  }

  #sendDue(): void {
    const { dialect, firstIndex, send } = this.#ports;
    const first = this.#sent;
    this.#sent += this.#due;
    this.#due = 0;
    this.#sentAtMs.fill(performance.now(), first, this.#sent);
    const frames: Buffer[] = [];
    for (let index = firstIndex + first; index < firstIndex + this.#sent; index += 1)
      frames.push(textFrame(dialect.command(index, ROLL, commandOptions(index))));
    send(Buffer.concat(frames));
  }

  #finish(): void {
    const seconds = (performance.now() - this.#startMs) / 1_000;
    const sorted = this.#tookMs.toSorted();
    this.#resolve({
      perSecond: this.#count / seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      wrong: this.#wrong,
      doubled: this.#doubled,
    });
  }
}
