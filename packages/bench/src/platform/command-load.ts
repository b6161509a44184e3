import { percentile } from '../rounds/statistics.js';
import { SentCommands, type CommandPorts } from './sent-commands.js';

export interface CommandLoadOptions {
  /** Total number of commands. */
  readonly count: number;
  /** Number of concurrent unanswered commands. */
  readonly outstanding: number;
  /** Network latency before each answer is confirmed, in milliseconds. */
  readonly delayMs: number;
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

/** The part of a run of commands that the platform uses. */
export interface Load {
  /** Network latency before each answer is confirmed, in milliseconds. */
  readonly delayMs: number;
  /**
   * Records an answer. Returns its expected content, or `undefined` if the command has been answered or
   * belongs to another run. Call `finished()` once the answer is confirmed.
   */
  answer(index: number, content: unknown): string | undefined;
  finished(): void;
}

/** Keeps a number of commands unanswered until all are answered, and checks every answer. */
export class CommandLoad implements Load {
  readonly done: Promise<CommandFigures>;
  readonly delayMs: number;
  readonly #count: number;
  readonly #commands: SentCommands;
  readonly #sentAtMs: Float64Array;
  readonly #tookMs: Float64Array;
  readonly #startMs = performance.now();
  #resolve: (figures: CommandFigures) => void = () => {};
  #finished = 0;
  #due = 0;

  constructor({ count, outstanding, delayMs }: CommandLoadOptions, ports: CommandPorts) {
    this.delayMs = delayMs;
    this.#count = count;
    this.#commands = new SentCommands(count, ports);
    this.#sentAtMs = new Float64Array(count);
    this.#tookMs = new Float64Array(count);
    this.done = new Promise((resolve) => (this.#resolve = resolve));
    this.#sendLater(Math.min(outstanding, count));
  }

  answer(index: number, content: unknown): string | undefined {
    const taken = this.#commands.take(index, content);
    if (!taken) return undefined;
    const { place, expected } = taken;
    this.#tookMs[place] = performance.now() - (this.#sentAtMs[place] ?? 0);
    return expected;
  }

  finished(): void {
    this.#finished += 1;
    if (this.#finished === this.#count) this.#finish();
    else if (this.#commands.sent + this.#due < this.#count) this.#sendLater(1);
  }

  // All commands that are due in one turn of the event loop are sent in one write.
  #sendLater(count: number): void {
    if (this.#due === 0) setImmediate(() => this.#sendDue());
    this.#due += count;
  }

  #sendDue(): void {
    const { sent } = this.#commands;
    this.#sentAtMs.fill(performance.now(), sent, sent + this.#due);
    this.#commands.send(this.#due);
    this.#due = 0;
  }

  #finish(): void {
    const seconds = (performance.now() - this.#startMs) / 1_000;
    const sorted = this.#tookMs.toSorted();
    const { wrong, doubled } = this.#commands;
    this.#resolve({
      perSecond: this.#count / seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      wrong,
      doubled,
    });
  }
}
