import type { Clock, Timer } from '@virgule/core/clock';
import { Roster, type Member } from '@virgule/core/collections';
import { toError } from '@virgule/core/errors';
import { startDeadline, type Stall } from './deadline.js';
import type {
  HttpController,
  HttpDispatcher,
  HttpHandler,
  HttpHeaders,
  HttpRequest,
} from './pool.js';

/** The largest answer that is read, in bytes. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

export type ExchangePhase = 'connecting' | 'headers' | 'body';

export interface ExchangeResult {
  /** How far it came. `connecting` means that nothing was sent. */
  readonly phase: ExchangePhase;
  readonly why:
    | 'answered'
    | 'fault'
    | 'limit'
    | 'stalled'
    | 'deadline'
    | 'interrupted'
    | 'too-large';
  /** Status and headers, if they came. */
  readonly status: number | undefined;
  readonly headers: HttpHeaders;
  /** Empty unless it was answered. */
  readonly body: Uint8Array;
  readonly error?: Error | undefined;
}

const NO_BYTES = new Uint8Array();

/**
 * One request and its answer. `result` never rejects and settles at once on `interrupt()`, also
 * while the request waits for a connection; a request that was cancelled there is never written.
 */
export class Exchange implements HttpHandler, Watched {
  readonly result: Promise<ExchangeResult>;
  place = 0;

  readonly #watch: ExchangeWatch;
  readonly #patienceMs: number;
  readonly #deadlineAtMs: number;
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

  /**
   * The server may send nothing of an answer for `patienceMs`; the whole call has to be over at `deadlineAtMs`, a reading
   * of `Clock.monotonic()`. Both in milliseconds.
   */
  constructor(watch: ExchangeWatch, patienceMs: number, deadlineAtMs: number) {
    this.#watch = watch;
    this.#patienceMs = patienceMs;
    this.#deadlineAtMs = deadlineAtMs;
    this.result = new Promise((resolve) => (this.#settle = resolve));
  }

  start(dispatcher: HttpDispatcher, request: HttpRequest): void {
    this.#watch.add(this, this.#lookAtMs(this.#watch.nowMs));
    try {
      dispatcher.dispatch(request, this);
    } catch (error) {
      this.#end('fault', toError(error));
    }
  }

  interrupt(): void {
    this.#end('interrupted');
  }

  /** The peer of a streamed body has stalled if it neither takes the next piece nor answers within this time. */
  expectProgress(withinMs: number): void {
    if (this.#settled || this.#phase === 'body') return;
    this.#isStreamed = true;
    this.#phaseDueMs = this.#watch.nowMs + withinMs;
    this.#watch.lookBy(this.#phaseDueMs);
  }

  onRequestStart(controller: HttpController): void {
    if (this.#settled) {
      controller.abort(new Error('The call was given up before it was sent.'));
      return;
    }
    this.#controller = controller;
    this.#phase = 'headers';
    this.#phaseDueMs = this.#watch.nowMs + this.#patienceMs;
  }

  onResponseStart(_controller: HttpController, statusCode: number, headers: HttpHeaders): void {
    // 1xx comes before the answer proper.
    if (statusCode < 200) return;
    this.#status = statusCode;
    this.#headers = headers;
    this.#phase = 'body';
    this.#phaseDueMs = this.#watch.nowMs + this.#patienceMs;
  }

  onResponseData(_controller: HttpController, chunk: Uint8Array): void {
    if (this.#settled) return;
    this.#receivedBytes += chunk.byteLength;
    if (this.#receivedBytes > MAX_RESPONSE_BYTES) {
      this.#end('too-large');
      return;
    }
    this.#phaseDueMs = this.#watch.nowMs + this.#patienceMs;
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settled || this.#status === undefined) return;
    // Nearly all answers come in one piece, which need not be copied.
    const [first] = this.#chunks;
    const isOne = this.#chunks.length === 1;
    const body = first && isOne ? first : Buffer.concat(this.#chunks, this.#receivedBytes);
    this.#end('answered', undefined, body);
  }

  onResponseError(_controller: HttpController | undefined, error: Error): void {
    this.#end('fault', error);
  }

  /** Ends the exchange when one of its limits is reached. */
  look(nowMs: number): number | undefined {
    if (nowMs >= this.#deadlineAtMs) this.#end('deadline');
    else if (nowMs >= this.#phaseDueMs) {
      this.#end(this.#isStreamed && this.#phase === 'headers' ? 'stalled' : 'limit');
    } else return this.#lookAtMs(nowMs);
    return undefined;
  }

  /** Returns when a limit can be reached at the earliest; it mostly moves before that. */
  #lookAtMs(nowMs: number): number {
    const isConnecting = this.#phase === 'connecting';
    const nextPhaseMs = isConnecting ? nowMs + this.#patienceMs : this.#phaseDueMs;
    return Math.min(this.#deadlineAtMs, nextPhaseMs);
  }

  #end(why: ExchangeResult['why'], error?: Error, body: Uint8Array = NO_BYTES): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#watch.delete(this);
    this.#chunks = [];
    const phase = this.#phase;
    this.#settle({ phase, why, status: this.#status, headers: this.#headers, body, error });
    if (why === 'answered' || why === 'fault') return;
    this.#controller?.abort(new Error(`The call was given up: ${why}.`));
  }
}

/** When the timer is late, a response may be in the socket, unread. */
const STALL: Stall = { lateMs: 500, graceMs: 50 };

export interface Watched extends Member {
  /** Ends it when its time is over; otherwise returns when to look again, by `Clock.monotonic()`. */
  look(nowMs: number): number | undefined;
}

/**
 * One timer for all requests in flight: nearly all of them are answered long before
 * their time is over, and a timer for each would cost more than the rest of watching them.
 */
export class ExchangeWatch {
  readonly #clock: Pick<Clock, 'monotonic' | 'setTimeout'>;
  readonly #watched = new Roster<Watched>();
  #timer: Timer | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonic' | 'setTimeout'>) {
    this.#clock = clock;
  }

  get nowMs(): number {
    return this.#clock.monotonic();
  }

  /** `lookAtMs` says when to look at it first. */
  add(watched: Watched, lookAtMs: number): void {
    this.#watched.add(watched);
    this.lookBy(lookAtMs);
  }

  /** Something may reach its limit earlier than it was to be looked at. */
  lookBy(lookAtMs: number): void {
    if (lookAtMs < this.#wakesAtMs) this.#wakeAt(lookAtMs);
  }

  delete(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size === 0) this.#sleep();
  }

  #wakeAt(atMs: number): void {
    this.#timer?.cancel();
    this.#wakesAtMs = atMs;
    this.#timer = startDeadline(this.#clock, atMs - this.nowMs, STALL, () => this.#wake());
  }

  #sleep(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#wakesAtMs = Number.POSITIVE_INFINITY;
  }

  #wake(): void {
    const { nowMs } = this;
    this.#sleep();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const each of this.#watched.all()) nextMs = Math.min(nextMs, each.look(nowMs) ?? nextMs);
    // Code that runs at an end may have started another exchange, which is watched by then.
    this.lookBy(nextMs);
  }
}
