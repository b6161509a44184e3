import type { VirguleError } from '@virgule/core/errors';
import { GATEWAY_PATH, type Ready } from '@virgule/core/protocol';
import { onAbort } from '@virgule/core/abort';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
import { isSendable, NO_TOKEN } from '../request/token.js';
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
import { ReconnectPauses } from './reconnect-pauses.js';
import { GatewaySession, momentOf, type Moment } from './session.js';
import { createSilenceCheck, type SilenceCheck } from './silence-check.js';

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
  readonly #pauses: ReconnectPauses;
  readonly #silence: SilenceCheck | undefined;
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
  #silences = 0;
  /** Number of upgrades in a row that were not answered by a gateway. */
  #noGateway = 0;
  #wasReady = false;

  constructor(options: ResolvedGatewayOptions) {
    this.#options = options;
    this.#counter = new FrameCounter(options);
    this.#delivery = new Delivery(options);
    this.#pauses = new ReconnectPauses(options.random);
    const { silenceCheck, clock } = options;
    this.#silence =
      silenceCheck && createSilenceCheck(clock, silenceCheck, (since) => this.#onSilent(since));
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
      silences: this.#silences,
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
    if (this.#startMs !== undefined)
      throw new TypeError('connect() was called before; a gateway has one user.');
    if (!isSendable(this.#options.token))
      throw clientErrors.E_UNAUTHORIZED({ ...this.#facts(), answer: NO_TOKEN });
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
    return (this.#closing ??= this.#finish(undefined));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #finish(error: VirguleError | undefined): Promise<void> {
    this.#leaveSignal?.();
    this.#stop.abort();
    this.#silence?.stop();
    this.#delivery.close();
    await this.#session?.close();
    // Before the first READY, `connect()` rejects with the error instead.
    if (error && !this.#settle) {
      const details = { code: error.code, reason: error.message };
      this.#options.log.error(details, 'the gateway connection ended permanently');
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
      event: (event) => {
        this.#silence?.note(event);
        this.#delivery.take(event);
      },
      ended: (ending) => this.#onEnded(session, ending),
    });
    this.#session = session;
    session.open();
  }

  /** Reports the state `reconnecting`, waits and opens the next connection. Never rejects. */
  async #openIn(delayMs: number, reason: string): Promise<void> {
    const { clock, log } = this.#options;
    const { attempt } = this.#pauses;
    const state = 'reconnecting';
    const status = { state, reason, attempt, delayMs: Math.round(delayMs) } as const;
    log.warn(status, `connection lost: ${reason}`);
    this.#delivery.report(status);
    try {
      await clock.sleep(delayMs, { signal: this.#stop.signal });
    } catch {
      // The gateway was closed during the pause.
      return;
    }
    this.#open();
  }

  #onSilent(since: Moment): void {
    this.#silences += 1;
    this.#session?.drop(since, 'there are new messages, but no events');
  }

  #onReady(session: GatewaySession, ready: Ready): void {
    this.#silence?.start(ready.botUserId);
    const loss = this.#loss;
    this.#loss = undefined;
    if (loss) {
      const { intents, backfill, clock, log } = this.#options;
      const gap = gapSince(loss, momentOf(clock), intents, backfill !== undefined);
      this.#gaps += 1;
      log.warn(gap, `disconnected for ${gap.ms} ms; events of that time are lost`);
      this.#delivery.report({ state: 'gap', ...gap });
    }
    this.#delivery.report({ state: 'ready', ready, reconnected: this.#wasReady });
    this.#wasReady = true;
    if (loss) this.#delivery.recover(loss.lastArrivalAt.wallMs);
    this.#settle?.resolve(ready);
    this.#settle = undefined;
  }

  #onEnded(session: GatewaySession, ending: SessionEnding): void {
    this.#silence?.stop();
    const { ackAtMs, readyAtMs, lastArrivalAt } = session;
    const { code } = ending;
    if (code !== undefined) this.#endings[code] = (this.#endings[code] ?? 0) + 1;
    if (readyAtMs !== undefined) {
      this.#loss = { lastArrivalAt, reason: ending.reason };
      const readyForMs = this.#options.clock.monotonic() - readyAtMs;
      this.#pauses.noteEnd(ending, readyForMs, ackAtMs !== undefined);
    }
    void this.#reconnectAfter(ending);
  }

  /** Opens the next connection, or ends the gateway after a final refusal. Never rejects. */
  async #reconnectAfter(ending: SessionEnding): Promise<void> {
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
    const { delayMs, hasRival } = this.#pauses.next(ending);
    const reason = hasRival ? `${ending.reason}; ${REPLACED_AGAIN}` : ending.reason;
    const wait = this.#options.identifies.wait();
    if (!wait || wait.delayMs <= delayMs) await this.#openIn(delayMs, reason);
    else await this.#openIn(wait.delayMs, `${reason}; ${wait.reason}`);
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
 * a count or the profile's `identifies` is not a number of 0 or more.
 *
 * @example
 * ```ts
 * const gateway = createGateway({ token, gatewayUrl: 'wss://chat.example.com' });
 * await gateway.connect({ dispatch: ({ t, d }) => console.log(t, d) });
 * ```
 */
export const createGateway = (options: GatewayOptions): Gateway =>
  new SocketGateway(resolveGatewayOptions(options));
