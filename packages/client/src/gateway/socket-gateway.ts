import type { VirguleError } from '@virgule/core/errors';
import { GATEWAY_PATH, type Ready } from '@virgule/core/protocol';
import { onAbort } from '@virgule/core/abort';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
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

/** Bounds of the pauses between attempts, in milliseconds. After an outage, each second of the last pause loses commands. */
const BACKOFF = { baseMs: 1_000, capMs: 30_000 };

/** Time since READY after which a connection is healthy, in milliseconds. An answered heartbeat also makes it healthy. */
const HEALTHY_MS = 10_000;

/**
 * Pauses after connections that a rival, another process with the token, seems to replace. A rival is only assumed: a
 * platform that renews connections ends them in the same way. A close reason about another connection (`said`) counts up
 * to `soonMs` after READY; any other (`maybe`) only within seconds, and its pauses stay small. The pause doubles with each
 * replacement. A connection that lived `goneFactor` times the last pause has no rival.
 */
const RIVAL = {
  said: { soonMs: 60_000, maxMs: 30_000 },
  maybe: { soonMs: 5_000, maxMs: 5_000 },
  firstMs: 2_000,
  goneFactor: 4,
};

/** Statuses of an upgrade that do not come from a gateway, but from a website or another path. */
const NO_GATEWAY: ReadonlySet<number> = new Set([
  200, 301, 302, 303, 307, 308, 404, 405, 410, 426, 501,
]);

/** Number of such statuses in a row that means a wrong address. */
const NO_GATEWAY_TIMES = 5;

/** Opens a connection, replaces it when it ends, and reports the gaps. */
class SocketGateway implements Gateway {
  readonly deliversOnce = true;
  #options: ResolvedGatewayOptions;
  readonly #counter: FrameCounter;
  /** Number of ended connections by close code or status. The Bot Interface states no close codes. */
  readonly #endings: Record<number, number> = {};
  readonly #delivery: Delivery;
  readonly #leaveSignal: (() => void) | undefined;
  /** Ends the pause between two connections, and the wait for `checkToken`. */
  readonly #stop = new AbortController();
  #settle: { resolve(ready: Ready): void; reject(error: VirguleError): void } | undefined;
  #closing: Promise<void> | undefined;
  /** Current or last connection. */
  #session: GatewaySession | undefined;
  /** Loss of the last ready connection, until the next READY. */
  #loss: Loss | undefined;
  /** Time of the call of `connect()`, by `Clock.monotonic()`. */
  #startMs: number | undefined;
  #connections = 0;
  #identifies = 0;
  #gaps = 0;
  #failures = 0;
  /** Number of upgrades in a row that were not answered by a gateway. */
  #noGateway = 0;
  #wasReady = false;
  /** Number of connections in a row that were replaced soon. */
  #replaced = 0;
  /** Last pause for a rival, in milliseconds; 0 without a rival. */
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
    if (!this.#options.WebSocket) {
      // Loaded here, because many programs import this module without connecting.
      this.#options = { ...this.#options, WebSocket: (await import('ws')).default };
      if (this.#closing) throw this.#closedError();
    }
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
    // Before the first READY, `connect()` rejects with the error instead.
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

  /** Reports the state `reconnecting`, waits and opens the next connection. Never rejects. */
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
      // The gateway was closed during the pause.
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
      // A healthy connection resets the failures before it.
      if (ackAtMs !== undefined || readyForMs >= HEALTHY_MS) this.#failures = 0;
      this.#noteReplacement(ending, readyForMs);
    }
    void this.#reconnectAfter(ending);
  }

  /** Opens the next connection, or ends the gateway after a final refusal. Never rejects. */
  async #reconnectAfter(ending: SessionEnding): Promise<void> {
    const { random, identifies } = this.#options;
    // Without a doubt about the token nothing is awaited, so the next status is reported at once.
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
    // Random, so that many clients that failed at the same moment do not return at the same moment.
    const pauseMs = random() * Math.min(BACKOFF.capMs, BACKOFF.baseMs * 2 ** this.#failures);
    // Clients that a gateway refused at the same time must not come back at the same time.
    const statedMs = Math.round(ending.retryAfterMs * (1 + random() / 10));
    const delayMs = Math.max(statedMs, pauseMs, rivalMs);
    this.#failures += 1;
    const wait = identifies.wait();
    if (!wait || wait.delayMs <= delayMs) await this.#openIn(delayMs, reason);
    else await this.#openIn(wait.delayMs, `${reason}; ${wait.reason}`);
  }

  /** Sets the pause for a rival, another process that seems to use the token. */
  #noteReplacement({ isReplacement }: SessionEnding, livedMs: number): void {
    if (!isReplacement) return;
    const { firstMs, goneFactor, [isReplacement]: limits } = RIVAL;
    const soonMs = this.#rivalPauseMs > 0 ? goneFactor * this.#rivalPauseMs : limits.soonMs;
    const isSoon = livedMs < soonMs;
    // A process that has just started may replace the first connection at any age.
    this.#replaced = isSoon ? this.#replaced + 1 : 1;
    const pauseMs = Math.min(limits.maxMs, firstMs * 2 ** (this.#replaced - 2));
    // A part of the pause is random: two processes with equal pauses would collide again.
    this.#rivalPauseMs = this.#replaced < 2 ? 0 : pauseMs * (1 + this.#options.random() / 2);
  }

  /** Returns true after 5 upgrades in a row that were not answered by a gateway, before any READY. */
  #isWrongAddress({ code = 0 }: SessionEnding): boolean {
    if (this.#wasReady || !NO_GATEWAY.has(code)) this.#noGateway = 0;
    else this.#noGateway += 1;
    return this.#noGateway >= NO_GATEWAY_TIMES;
  }

  /** Returns the error of a closed gateway: `E_ABORTED` after an abort of the caller's signal, else `E_SHUTTING_DOWN`. */
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
 * Creates a gateway. `connect()` opens a connection and keeps it open: a lost connection is replaced within 1 s, unless
 * the gateway states a wait or another process replaces it. The pause doubles with each failure, up to 30 s.
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
