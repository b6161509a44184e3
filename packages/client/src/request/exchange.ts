import type { Clock, Deadline, Deadlines } from '@virgule/core/clock';
import { toError } from '@virgule/core/errors';
import { LATE_MS } from './deadline.js';
import type {
  HttpController,
  HttpDispatcher,
  HttpHandler,
  HttpHeaders,
  HttpRequest,
} from './pool.js';

/** Maximum size of an answer, in bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export type ExchangePhase = 'connecting' | 'headers' | 'body';

export interface ExchangeResult {
  /** Last phase of the exchange. `connecting` means that nothing was sent. */
  readonly phase: ExchangePhase;
  readonly why:
    | 'answered'
    | 'fault'
    | 'limit'
    | 'stalled'
    | 'deadline'
    | 'interrupted'
    | 'too-large';
  /** Status of the answer; `undefined` without headers. */
  readonly status: number | undefined;
  readonly headers: HttpHeaders;
  /** Complete body of an `answered` exchange, else its first piece or nothing. */
  readonly body: Uint8Array;
  readonly error?: Error | undefined;
}

const NO_BYTES = new Uint8Array();

/** Extra time to read the socket after the event loop was blocked, in milliseconds. */
const GRACE_MS = 50;

export interface ExchangeOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly deadlines: Deadlines;
  /** Maximum silence of the server, in milliseconds. */
  readonly patienceMs: number;
  /** Deadline of the whole call, a reading of `Clock.monotonic()`. */
  readonly deadlineAtMs: number;
  /** Maximum size of an answer, in bytes. @defaultValue 16 MiB */
  readonly maxBytes?: number | undefined;
}

/**
 * Request and its answer. `result` never rejects and settles at once on `interrupt()`, even while the request waits for a
 * connection: the request is then never written.
 */
export class Exchange implements HttpHandler {
  readonly result: Promise<ExchangeResult>;

  readonly #options: ExchangeOptions;
  /** Next check of the time limits, which mostly move before the check. */
  #look: Deadline | undefined;
  #settle: (result: ExchangeResult) => void = () => {};
  #controller: HttpController | undefined;
  #phase: ExchangePhase = 'connecting';
  #phaseDueMs = Number.POSITIVE_INFINITY;
  #settled = false;
  #isStreamed = false;
  #status: number | undefined;
  #headers: HttpHeaders = {};
  #chunks: Uint8Array[] = [];
  #receivedBytes = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.result = new Promise((resolve) => (this.#settle = resolve));
  }

  start(dispatcher: HttpDispatcher, request: HttpRequest): void {
    this.#lookAgain(this.#nowMs);
    try {
      dispatcher.dispatch(request, this);
    } catch (error) {
      this.#end('fault', toError(error));
    }
  }

  interrupt(): void {
    this.#end('interrupted');
  }

  /** Ends the exchange as `stalled` if the peer neither accepts the next piece of a streamed body nor answers in this time. */
  expectProgress(withinMs: number): void {
    if (this.#settled || this.#phase === 'body') return;
    this.#isStreamed = true;
    this.#phaseDueMs = this.#nowMs + withinMs;
    this.#lookAgain(this.#nowMs);
  }

  onRequestStart(controller: HttpController): void {
    if (this.#settled) {
      controller.abort(new Error('The call was given up before it was sent.'));
      return;
    }
    this.#controller = controller;
    this.#phase = 'headers';
    this.#phaseDueMs = this.#nowMs + this.#options.patienceMs;
  }

  onResponseStart(_controller: HttpController, statusCode: number, headers: HttpHeaders): void {
    // A status of 1xx precedes the final answer.
    if (statusCode < 200) return;
    this.#status = statusCode;
    this.#headers = headers;
    this.#phase = 'body';
    this.#phaseDueMs = this.#nowMs + this.#options.patienceMs;
  }

  onResponseData(_controller: HttpController, chunk: Uint8Array): void {
    if (this.#settled) return;
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > (this.#options.maxBytes ?? MAX_RESPONSE_BYTES)) {
      this.#end('too-large');
      return;
    }
    this.#phaseDueMs = this.#nowMs + this.#options.patienceMs;
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled || this.#status === undefined) return;
    // Nearly all answers are a single chunk, which need not be copied.
    const [first] = this.#chunks;
    const isOne = this.#chunks.length === 1;
    const body = first && isOne ? first : Buffer.concat(this.#chunks, this.#receivedBytes);
    this.#end('answered', undefined, body);
  }

  onResponseError(_controller: HttpController | undefined, error: Error): void {
    this.#end('fault', error);
  }

  get #nowMs(): number {
    return this.#options.clock.monotonic();
  }

  /** Ends the exchange after one of its time limits. */
  #check(dueMs: number, hadGrace: boolean): void {
    // Deadlines may fire a fraction early.
    const nowMs = Math.max(dueMs, this.#nowMs);
    if (nowMs - dueMs > LATE_MS && !hadGrace) this.#lookAt(nowMs + GRACE_MS, true);
    else if (nowMs >= this.#options.deadlineAtMs) this.#end('deadline');
    else if (nowMs >= this.#phaseDueMs) {
      this.#end(this.#isStreamed && this.#phase === 'headers' ? 'stalled' : 'limit');
    } else this.#lookAgain(nowMs);
  }

  /** Schedules the next check at the earliest possible time limit. */
  #lookAgain(nowMs: number): void {
    const { patienceMs, deadlineAtMs } = this.#options;
    const phaseDueMs = this.#phase === 'connecting' ? nowMs + patienceMs : this.#phaseDueMs;
    this.#lookAt(Math.min(deadlineAtMs, phaseDueMs));
  }

  #lookAt(atMs: number, hadGrace = false): void {
    const { deadlines } = this.#options;
    if (this.#look) deadlines.cancel(this.#look);
    this.#look = deadlines.add(atMs, () => this.#check(atMs, hadGrace));
  }

  #end(why: ExchangeResult['why'], error?: Error, body = this.#chunks[0] ?? NO_BYTES): void {
    if (this.#settled) return;
    this.#settled = true;
    if (this.#look) this.#options.deadlines.cancel(this.#look);
    this.#chunks = [];
    const phase = this.#phase;
    this.#settle({ phase, why, status: this.#status, headers: this.#headers, body, error });
    if (why === 'answered' || why === 'fault') return;
    this.#controller?.abort(new Error(`The call was given up: ${why}.`));
  }
}
