import { percentile } from '../rounds/statistics.js';
import { AskedCommands, type CommandPorts } from './asked-commands.js';
import type { CommandName } from './dialect.js';

export interface CommandLoadOptions {
  readonly name: CommandName;
  /** Commands in all. */
  readonly count: number;
  /** Commands that are unanswered at a time. */
  readonly outstanding: number;
  /** Network that lies before each answer is taken, in milliseconds. */
  readonly delayMs: number;
}

export interface CommandFigures {
  readonly perSecond: number;
  /** From the frame on the socket to the answer on the wire, in milliseconds. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers with another content than they should have. */
  readonly wrong: number;
  /** Answers to a command that had one. */
  readonly doubled: number;
}

/** What the platform asks of a run of commands. */
export interface Load {
  /** Network that lies before each answer is taken, in milliseconds. */
  readonly delayMs: number;
  /**
   * Takes an answer: gives the content that it should have, or `undefined` when the command had one
   * already or is not of this run. `finished()` has to be called once it is confirmed.
   */
  answer(index: number, content: unknown): string | undefined;
  finished(): void;
  defer(index: number): void;
}

/** Keeps so many commands unanswered until all are answered, and checks every answer. */
export class CommandLoad implements Load {
  readonly done: Promise<CommandFigures>;
  readonly delayMs: number;
  readonly #count: number;
  readonly #commands: AskedCommands;
  readonly #sentAtMs: Float64Array;
  readonly #tookMs: Float64Array;
  readonly #startMs = performance.now();
  #resolve: (figures: CommandFigures) => void = () => {};
  #finished = 0;
  #due = 0;

  constructor({ name, count, outstanding, delayMs }: CommandLoadOptions, ports: CommandPorts) {
    this.delayMs = delayMs;
    this.#count = count;
    this.#commands = new AskedCommands(name, count, ports);
    this.#sentAtMs = new Float64Array(count);
    this.#tookMs = new Float64Array(count);
    this.done = new Promise((resolve) => (this.#resolve = resolve));
    this.#askLater(Math.min(outstanding, count));
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
    else if (this.#commands.asked + this.#due < this.#count) this.#askLater(1);
  }

  /** Nothing here takes so long that it has to be deferred, and deferring does no harm. */
  defer(): void {}

  // All commands that fall due in one turn of the event loop leave in one write.
  #askLater(count: number): void {
    if (this.#due === 0) setImmediate(() => this.#askDue());
    this.#due += count;
  }

  #askDue(): void {
    const { asked } = this.#commands;
    this.#sentAtMs.fill(performance.now(), asked, asked + this.#due);
    this.#commands.ask(this.#due);
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
