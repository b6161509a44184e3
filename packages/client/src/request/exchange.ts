import type { Deadline, Deadlines } from '@virgule/core/clock';
import type { HttpHeaders } from './pool.js';

/** Maximum size of an answer, in bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Result of a request. */
export type ExchangeResult = Readonly<
  Pick<Exchange, 'phase' | 'why' | 'status' | 'body' | 'error' | 'header'>
>;

/** Reason for the end of an exchange. */
type Why = 'answered' | 'fault' | 'limit' | 'stalled' | 'deadline' | 'interrupted' | 'too-large';

const NO_BYTES = new Uint8Array();

/** Delay of a check, in milliseconds, above which this process was blocked: the socket may have an unread answer. */
export const LATE_MS = 20;

/** Extra time to read the socket after the event loop was blocked, in milliseconds. */
const GRACE_MS = 50;

interface ExchangeOptions {
  readonly deadlines: Deadlines;
  /** Time of the start, as `deadlineAtMs`. */
  readonly startMs: number;
  /** Maximum silence of the server, in milliseconds. */
  readonly patienceMs: number;
  /** Deadline of the whole call, a reading of `Clock.monotonic()`. */
  readonly deadlineAtMs: number;
  /** Maximum size of an answer, in bytes. @defaultValue 16 MiB */
  readonly maxBytes?: number | undefined;
}

/**
 * Request and its answer. `result` never rejects and settles at once on `interrupt()`; a request that waits for a connection
 * is then never written. The methods `on…` are those of undici's core: newer ones cost two objects and parse all headers.
 */
export class Exchange {
  readonly result: Promise<ExchangeResult>;
  /** Last phase of the exchange. `connecting` means that nothing was sent. */
  phase: 'connecting' | 'headers' | 'body' = 'connecting';
  why: Why = 'interrupted';
  /** Status of the answer; `undefined` without headers. */
  status: number | undefined;
  /** Complete body of an `answered` exchange, else its first piece or nothing. */
  body: Uint8Array = NO_BYTES;
  error: Error | undefined;
  /** `true` once the result is known. A request that was given up may still be in flight. */
  isSettled = false;
  /** Called when the connection is free again. */
  onReleased: (() => void) | undefined;

  readonly #options: ExchangeOptions;
  /** Next check of the time limits, which mostly move before the check. */
  #timeCheck: Deadline | undefined;
  #settle: (result: ExchangeResult) => void = () => {};
  #abort: ((reason: Error) => void) | undefined;
  #phaseDueMs = Number.POSITIVE_INFINITY;
  #isStreamed = false;
  /** Names and values in turns, or an object. */
  #headers: Buffer[] | HttpHeaders = [];
  #chunks: Uint8Array[] = [];
  #receivedBytes = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.result = new Promise((resolve) => (this.#settle = resolve));
    this.#scheduleCheck(options.startMs);
  }

  interrupt(): void {
    this.#end('interrupted');
  }

  /** Ends the exchange as `stalled` if the peer neither accepts the next piece of a streamed body nor answers in this time. */
  expectProgress(withinMs: number): void {
    if (this.isSettled || this.phase === 'body') return;
    this.#isStreamed = true;
    this.#phaseDueMs = this.#nowMs + withinMs;
    this.#scheduleCheck(this.#nowMs);
  }

  /** Returns a header of the answer, the first one with a name in lower case. */
  header(name: string): string | undefined {
    const headers = this.#headers;
    if (!Array.isArray(headers)) return [headers[name] ?? []].flat()[0];
    for (let at = 0; at < headers.length; at += 2) {
      const key = headers[at];
      if (key?.length === name.length && key.toString('latin1').toLowerCase() === name)
        return headers[at + 1]?.toString();
    }
    return undefined;
  }

  onConnect(abort: (reason: Error) => void): void {
    if (this.isSettled) {
      abort(new Error('The call was given up before it was sent.'));
      return;
    }
    this.#abort = abort;
    this.phase = 'headers';
    this.#phaseDueMs = this.#nowMs + this.#options.patienceMs;
  }

  onHeaders(status: number, headers: Buffer[] | HttpHeaders): boolean {
    // A status of 1xx precedes the final answer.
    if (status < 200 || this.isSettled) return true;
    this.status = status;
    this.#headers = headers;
    this.phase = 'body';
    this.#phaseDueMs = this.#nowMs + this.#options.patienceMs;
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    if (this.isSettled) return true;
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > (this.#options.maxBytes ?? MAX_RESPONSE_BYTES)) {
      this.#end('too-large');
      return true;
    }
    this.#phaseDueMs = this.#nowMs + this.#options.patienceMs;
    this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    if (this.status !== undefined) {
      // Nearly all answers are a single chunk, which need not be copied.
      const [first] = this.#chunks;
      const isOne = this.#chunks.length === 1;
      const body = first && isOne ? first : Buffer.concat(this.#chunks, this.#receivedBytes);
      this.#end('answered', body);
    }
    this.#release();
  }

  onError(error: Error): void {
    this.#end('fault', undefined, error);
    this.#release();
  }

  #release(): void {
    this.onReleased?.();
    this.onReleased = undefined;
  }

  get #nowMs(): number {
    return this.#options.deadlines.clock.monotonic();
  }

  /** Ends the exchange after one of its time limits. */
  #check(dueMs: number, hadGrace: boolean): void {
    // Deadlines may fire a fraction early.
    const nowMs = Math.max(dueMs, this.#nowMs);
    if (nowMs - dueMs > LATE_MS && !hadGrace) this.#checkAt(nowMs + GRACE_MS, true);
    else if (nowMs >= this.#options.deadlineAtMs) this.#end('deadline');
    else if (nowMs >= this.#phaseDueMs) {
      this.#end(this.#isStreamed && this.phase === 'headers' ? 'stalled' : 'limit');
    } else this.#scheduleCheck(nowMs);
  }

  /** Schedules the next check at the earliest possible time limit. */
  #scheduleCheck(nowMs: number): void {
    const { patienceMs, deadlineAtMs } = this.#options;
    const phaseDueMs = this.phase === 'connecting' ? nowMs + patienceMs : this.#phaseDueMs;
    this.#checkAt(Math.min(deadlineAtMs, phaseDueMs));
  }

  #checkAt(atMs: number, hadGrace = false): void {
    const { deadlines } = this.#options;
    if (this.#timeCheck) deadlines.cancel(this.#timeCheck);
    this.#timeCheck = deadlines.add(atMs, () => this.#check(atMs, hadGrace));
  }

  #end(why: Why, body = this.#chunks[0] ?? NO_BYTES, error?: Error): void {
    if (this.isSettled) return;
    this.isSettled = true;
    if (this.#timeCheck) this.#options.deadlines.cancel(this.#timeCheck);
    this.#chunks = [];
    this.why = why;
    this.body = body;
    this.error = error;
    this.#settle(this);
    if (why === 'answered' || why === 'fault') return;
    this.#abort?.(new Error(`The call was given up: ${why}.`));
  }
}
