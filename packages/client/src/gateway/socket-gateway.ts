import type { VirguleError } from '@virgule/core/errors';
import { GATEWAY_PATH, type Ready } from '@virgule/core/protocol';
import { onAbort } from '@virgule/core/abort';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
import { fullJitter } from '../request/retry.js';
import { isSendable, NO_TOKEN } from '../request/token.js';
import { invalidCall } from '../rest/check-input.js';
import { Delivery } from './delivery.js';
import {
  gapSince,
  isTokenRefused,
  REPLACED_AGAIN,
  type Loss,
  type SessionEnding,
} from './endings.js';
import { FrameCounter, type FrameCounts } from './frames.js';
import {
  resolveGatewayOptions,
  type GatewayOptions,
  type ResolvedGatewayOptions,
} from './gateway-options.js';
import type { Gateway, GatewayCounts, GatewayHealth, GatewayListener } from './port.js';
import { GatewaySession, momentOf } from './session.js';

/** The pauses between attempts. After a long outage, each second of the last one loses commands. */
const BACKOFF = { baseMs: 1_000, capMs: 30_000 };

/** A connection that was READY for this long is healthy, as is one whose heartbeat was answered. In milliseconds. */
const HEALTHY_MS = 10_000;

/**
 * A connection that seems to be replaced again soon has a rival: the pause before it comes back doubles. That is only
 * assumed, and a platform that renews all connections ends them the same way. So a reason that does not speak of
 * another connection counts only after a few seconds, as a rival comes back at once, and its pauses stay small.
 * A connection that lived `goneFactor` times the last pause has no rival: with one, it lives about as long as that.
 */
const RIVAL = {
  said: { soonMs: 60_000, maxMs: 30_000 },
  maybe: { soonMs: 5_000, maxMs: 5_000 },
  firstMs: 2_000,
  goneFactor: 4,
};

/** Answers to an upgrade that do not come from a gateway: those of a website, or of another path. */
const NO_GATEWAY: ReadonlySet<number> = new Set([
  200, 301, 302, 303, 307, 308, 404, 405, 410, 426, 501,
]);

/** This many in a row are no accident. */
const NO_GATEWAY_TIMES = 5;

/** Keeps one connection up: opens it, replaces it when it ends, and reports what was missed. */
class SocketGateway implements Gateway {
  readonly #options: ResolvedGatewayOptions;
  readonly #counter: FrameCounter;
  /** How often connections ended, by close code or status: no code is stated, so this is all there is to know. */
  readonly #endings: Record<number, number> = {};
  readonly #delivery: Delivery;
  readonly #leaveSignal: (() => void) | undefined;
  /** Ends the pause between two connections, and the wait for `checkToken`. */
  readonly #stop = new AbortController();
  #settle: { resolve(ready: Ready): void; reject(error: VirguleError): void } | undefined;
  #closing: Promise<void> | undefined;
  /** The connection that delivers, is to deliver, or was the last to. */
  #session: GatewaySession | undefined;
  /** Since then nothing is delivered. */
  #loss: Loss | undefined;
  /** When `connect()` was called. */
  #startMs: number | undefined;
  #connections = 0;
  #identifies = 0;
  #gaps = 0;
  #failures = 0;
  /** Upgrades in a row that were answered by something that is no gateway. */
  #noGateway = 0;
  #wasReady = false;
  /** Connections in a row that were replaced soon. */
  #replaced = 0;
  /** The last pause for a rival; 0 without one. */
  #rivalPauseMs = 0;

  constructor(options: ResolvedGatewayOptions) {
    this.#options = options;
    this.#counter = new FrameCounter(options);
    this.#delivery = new Delivery(options);
    if (options.signal) this.#leaveSignal = onAbort(options.signal, () => void this.close());
  }

  get frames(): FrameCounts {
    return { ...this.#counter.counts };
  }

  get counts(): GatewayCounts {
    return {
      ...this.#delivery.counts,
      identifies: this.#identifies,
      gaps: this.#gaps,
      endings: { ...this.#endings },
    };
  }

  health(): GatewayHealth {
    const session = this.#session;
    const isReady = !this.#closing && session !== undefined && session.isReady;
    const ageMs = (atMs: number | undefined): number | undefined =>
      isReady && atMs !== undefined ? this.#options.clock.monotonic() - atMs : undefined;
    return {
      isReady,
      readyAgeMs: ageMs(session?.readyAtMs),
      ackAgeMs: ageMs(session?.ackAtMs),
      heartbeatMs: isReady ? session.heartbeatMs : undefined,
    };
  }

  async connect(listener: GatewayListener): Promise<Ready> {
    if (this.#closing) throw this.#closedError();
    if (this.#startMs !== undefined) {
      throw new TypeError('connect() was called before; a gateway has one user.');
    }
    if (typeof Object(listener).dispatch !== 'function') {
      const expected = 'an object such as { dispatch: (event) => {} }';
      throw invalidCall('gateway.connect', 'listener', expected, listener);
    }
    if (!isSendable(this.#options.token)) {
      throw clientErrors.E_UNAUTHORIZED({ ...this.#facts(), answer: NO_TOKEN });
    }
    this.#delivery.start(listener);
    this.#startMs = this.#options.clock.monotonic();
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      const wait = this.#options.identifies.wait();
      if (wait) void this.#openIn(wait.delayMs, wait.reason);
      else this.#open();
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish(undefined);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #finish(error: VirguleError | undefined): Promise<void> {
    this.#leaveSignal?.();
    this.#stop.abort();
    this.#delivery.close();
    await this.#session?.close();
    // Before the first READY, connect() rejects with it.
    if (error && !this.#settle) {
      const details = { code: error.code, reason: error.message };
      this.#options.log.error(details, 'the gateway connection ended for good');
    }
    this.#settle?.reject(error ?? this.#closedError());
    this.#delivery.report({ state: 'closed', error });
  }

  #open(): void {
    this.#connections += 1;
    const session: GatewaySession = new GatewaySession(this.#options, this.#counter, {
      identifying: () => {
        this.#identifies += 1;
        this.#options.identifies.spend();
      },
      ready: (ready) => this.#onReady(session, ready),
      event: (event) => this.#delivery.take(event),
      ended: (ending) => this.#onEnded(session, ending),
    });
    this.#session = session;
    session.open();
  }

  /** Never rejects. */
  async #openIn(delayMs: number, reason: string): Promise<void> {
    const { clock, log } = this.#options;
    const attempt = Math.max(this.#failures, 1);
    const state = 'reconnecting';
    const status = { state, reason, attempt, delayMs: Math.round(delayMs) } as const;
    log.warn(status, 'gateway connection lost; reconnecting');
    this.#delivery.report(status);
    try {
      await clock.sleep(delayMs, { signal: this.#stop.signal });
    } catch {
      // Closed meanwhile: nothing follows.
      return;
    }
    this.#open();
  }

  #onReady(session: GatewaySession, ready: Ready): void {
    const loss = this.#loss;
    this.#loss = undefined;
    if (loss) {
      const { intents, backfill, clock, log } = this.#options;
      const gap = gapSince(loss, momentOf(clock), intents, backfill !== undefined);
      this.#gaps += 1;
      log.warn(gap, 'there was no gateway connection for a while; events of that time are lost');
      this.#delivery.report({ state: 'gap', ...gap });
    }
    this.#delivery.report({ state: 'ready', ready, reconnected: this.#wasReady });
    this.#wasReady = true;
    if (loss) this.#delivery.recover(loss.lastArrivalAt.wallMs);
    this.#settle?.resolve(ready);
    this.#settle = undefined;
  }

  #onEnded(session: GatewaySession, ending: SessionEnding): void {
    const { ackAtMs, readyAtMs, lastArrivalAt } = session;
    const { code } = ending;
    if (code !== undefined) this.#endings[code] = (this.#endings[code] ?? 0) + 1;
    if (readyAtMs !== undefined) {
      this.#loss = { lastArrivalAt, reason: ending.reason };
      const readyForMs = this.#options.clock.monotonic() - readyAtMs;
      // What failed before a healthy connection is forgotten.
      if (ackAtMs !== undefined || readyForMs >= HEALTHY_MS) this.#failures = 0;
      this.#noteReplacement(ending, readyForMs);
    }
    void this.#reconnectAfter(ending);
  }

  /** Never rejects. */
  async #reconnectAfter(ending: SessionEnding): Promise<void> {
    const { random, identifies } = this.#options;
    // Not awaited without need: the next status is reported before anything else can happen.
    if (
      ending.refusesToken !== 'no' &&
      (await isTokenRefused(ending, this.#options, this.#stop.signal))
    ) {
      const answer = `the gateway: ${ending.reason}`;
      this.#closing ??= this.#finish(clientErrors.E_UNAUTHORIZED({ ...this.#facts(), answer }));
    }
    if (this.#isWrongAddress(ending)) {
      const address = this.#options.address.origin;
      const details = { ...this.#facts(), phase: 'connecting', reason: ending.reason } as const;
      this.#closing ??= this.#finish(clientErrors.E_UNREACHABLE({ ...details, address }));
    }
    if (this.#closing) return;
    const rivalMs = ending.isReplacement ? this.#rivalPauseMs : 0;
    const reason = rivalMs > 0 ? `${ending.reason}; ${REPLACED_AGAIN}` : ending.reason;
    const pauseMs = fullJitter(this.#failures, random, BACKOFF);
    const delayMs = Math.max(ending.retryAfterMs, pauseMs, rivalMs);
    this.#failures += 1;
    const wait = identifies.wait();
    if (!wait || wait.delayMs <= delayMs) await this.#openIn(delayMs, reason);
    else await this.#openIn(wait.delayMs, `${reason}; ${wait.reason}`);
  }

  /** Decides how long to wait for another process that seems to use the token. */
  #noteReplacement({ isReplacement }: SessionEnding, livedMs: number): void {
    if (!isReplacement) return;
    const { firstMs, goneFactor, [isReplacement]: limits } = RIVAL;
    const soonMs = this.#rivalPauseMs > 0 ? goneFactor * this.#rivalPauseMs : limits.soonMs;
    const isSoon = livedMs < Math.max(soonMs, RIVAL.maybe.soonMs);
    // The first one may have been replaced at any age, by a process that has just started.
    this.#replaced = isSoon ? this.#replaced + 1 : 1;
    const pauseMs = Math.min(limits.maxMs, firstMs * 2 ** (this.#replaced - 2));
    // A part of it is random: two that wait equally long would meet again.
    this.#rivalPauseMs = this.#replaced < 2 ? 0 : pauseMs * (1 + this.#options.random() / 2);
  }

  /** Whether the first connections were answered again and again by something that is no gateway. */
  #isWrongAddress({ code = 0 }: SessionEnding): boolean {
    if (this.#wasReady || !NO_GATEWAY.has(code)) this.#noGateway = 0;
    else this.#noGateway += 1;
    return this.#noGateway >= NO_GATEWAY_TIMES;
  }

  /** Why everything ended: the caller's signal, or `close()`. */
  #closedError(): VirguleError {
    const { signal } = this.#options;
    if (!signal?.aborted) return clientErrors.E_SHUTTING_DOWN(this.#facts());
    const details = { ...this.#facts(), phase: 'connecting', maybeSent: false } as const;
    return clientErrors.E_ABORTED(details, { cause: signal.reason });
  }

  #facts(): CallFacts {
    const nowMs = this.#options.clock.monotonic();
    const elapsedMs = Math.round(nowMs - (this.#startMs ?? nowMs));
    const route = `GET ${GATEWAY_PATH}`;
    return { endpoint: 'gateway', route, attempts: this.#connections, elapsedMs };
  }
}

/**
 * Creates a gateway. `connect()` opens it and keeps it open: a lost connection is replaced within 1 s.
 * The pause doubles with each failure, up to 30 s.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address, `E_INVALID_CALL` when
 * a deadline, a count or an `identifyBudget` is not a number of 0 or more.
 *
 * @example
 * ```ts
 * const gateway = createGateway({ token, gatewayUrl: 'wss://chat.example.com' });
 * await gateway.connect({ dispatch: ({ t, d }) => console.log(t, d) });
 * ```
 */
export function createGateway(options: GatewayOptions): Gateway {
  return new SocketGateway(resolveGatewayOptions(options));
}
