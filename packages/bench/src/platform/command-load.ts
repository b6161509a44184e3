import { percentile } from '../rounds/statistics.js';
import { indexOf } from './ids.js';
import { rollCommand } from './sample-data.js';
import { textFrame } from './web-socket-frames.js';

export interface CommandLoadOptions {
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

export interface CommandLoadPorts {
  /** Sends frames over the gateway, in one write. */
  send(frames: Buffer): void;
  readonly firstIndex: number;
}

const RESPONSE_PATH = '/api/bot/v1/interactions/';

/** Keeps so many commands unanswered until all are answered, and checks every answer. */
export class CommandLoad {
  readonly done: Promise<CommandFigures>;
  readonly #options: CommandLoadOptions;
  readonly #ports: CommandLoadPorts;
  readonly #sentAtMs: Float64Array;
  readonly #tookMs: Float64Array;
  readonly #startMs = performance.now();
  #resolve: (figures: CommandFigures) => void = () => {};
  #sent = 0;
  #finished = 0;
  #wrong = 0;
  #doubled = 0;
  #due = 0;

  constructor(options: CommandLoadOptions, ports: CommandLoadPorts) {
    this.#options = options;
    this.#ports = ports;
    this.#sentAtMs = new Float64Array(options.count);
    this.#tookMs = new Float64Array(options.count);
    this.done = new Promise((resolve) => (this.#resolve = resolve));
    this.#sendLater(Math.min(options.outstanding, options.count));
  }

  get delayMs(): number {
    return this.#options.delayMs;
  }

  /**
   * Takes a request that answers a command: gives the content to answer it with, or `undefined` when
   * it is about something else, or a second answer. `finished()` has to be called once it is answered.
   */
  answer(path: string, body: string): string | undefined {
    if (!path.startsWith(RESPONSE_PATH)) return undefined;
    const index = indexOf(path, RESPONSE_PATH.length);
    const place = index - this.#ports.firstIndex;
    const sentAtMs = this.#sentAtMs[place];
    if (sentAtMs === undefined || sentAtMs === 0) return undefined;
    const { content } = JSON.parse(body) as { readonly content?: unknown };
    const expected = rollCommand(index).answer;
    if (this.#tookMs[place] !== 0) {
      this.#doubled += 1;
      return undefined;
    }
    if (content !== expected) this.#wrong += 1;
    this.#tookMs[place] = performance.now() - sentAtMs;
    return expected;
  }

  finished(): void {
    this.#finished += 1;
    if (this.#finished === this.#options.count) this.#finish();
    else if (this.#sent + this.#due < this.#options.count) this.#sendLater(1);
  }

  // All commands that fall due in one turn of the event loop leave in one write.
  #sendLater(count: number): void {
    if (this.#due === 0) setImmediate(() => this.#sendDue());
    this.#due += count;
  }

  #sendDue(): void {
    const nowMs = performance.now();
    const frames: Buffer[] = [];
    for (; this.#due > 0; this.#due -= 1) {
      this.#sentAtMs[this.#sent] = nowMs;
      frames.push(textFrame(rollCommand(this.#ports.firstIndex + this.#sent).event));
      this.#sent += 1;
    }
    this.#ports.send(Buffer.concat(frames));
  }

  #finish(): void {
    const seconds = (performance.now() - this.#startMs) / 1_000;
    const sorted = this.#tookMs.toSorted();
    this.#resolve({
      perSecond: this.#options.count / seconds,
      p50Ms: percentile(sorted, 0.5),
      p99Ms: percentile(sorted, 0.99),
      wrong: this.#wrong,
      doubled: this.#doubled,
    });
  }
}
