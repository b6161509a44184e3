import type { VirguleError } from '@virgule/core/errors';
import { GATEWAY_PATH, type Ready } from '@virgule/core/protocol';
import { clientErrors } from '../errors/client-errors.js';
import type { CallFacts } from '../errors/error-details.js';
import { fullJitter } from '../timing/full-jitter.js';
import { FrameCounter, type FrameCounts } from './frame-counts.js';
import {
  resolveGatewayOptions,
  type GatewayOptions,
  type ResolvedGatewayOptions,
} from './gateway-options.js';
import type { GatewayListener, GatewayPort, GatewayStatus } from './port.js';
import type { SessionEnding } from './session-ending.js';
import { GatewaySession } from './session.js';

/** The platform's gateway over a socket of this process. */
export interface Gateway extends GatewayPort {
  /** Frames out of the ordinary so far. */
  readonly frames: FrameCounts;
  [Symbol.asyncDispose](): Promise<void>;
}

const BACKOFF = { baseMs: 1_000, capMs: 300_000 };

/** A connection that was ready for this long is healthy: what failed before it is forgotten. In milliseconds. */
const HEALTHY_MS = 60_000;

/** How long `checkToken` may take before its answer counts as unknown, in milliseconds. */
const CHECK_TOKEN_MS = 30_000;

/**
 * Makes a gateway. `connect()` opens it and keeps it open: a lost connection is replaced, after a
 * pause between 0 and 1 s that doubles with each failure up to 5 minutes.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address.
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

class SocketGateway implements Gateway {
  readonly #options: ResolvedGatewayOptions;
  readonly #counter: FrameCounter;
  /** Ends the pause between two connections, and the wait for `checkToken`. */
  readonly #stop = new AbortController();
  #listener: GatewayListener | undefined;
  #session: GatewaySession | undefined;
  #settle: { resolve(ready: Ready): void; reject(error: VirguleError): void } | undefined;
  #closing: Promise<void> | undefined;
  #startMs = 0;
  #connections = 0;
  #failures = 0;
  #readySinceMs: number | undefined;
  #wasReady = false;

  constructor(options: ResolvedGatewayOptions) {
    this.#options = options;
    this.#counter = new FrameCounter(options.log);
  }

  get frames(): FrameCounts {
    return this.#counter.counts;
  }

  async connect(listener: GatewayListener): Promise<Ready> {
    if (this.#closing) throw clientErrors.E_SHUTTING_DOWN(this.#facts());
    if (this.#listener) throw new TypeError('connect() was called before; a gateway has one user.');
    this.#listener = listener;
    this.#startMs = this.#options.clock.monotonic();
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#open();
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
    this.#stop.abort();
    await this.#session?.close();
    this.#settle?.reject(error ?? clientErrors.E_SHUTTING_DOWN(this.#facts()));
    this.#tell({ state: 'closed', error });
  }

  #open(): void {
    this.#connections += 1;
    this.#session = new GatewaySession(this.#options, this.#counter, {
      ready: (ready) => this.#onReady(ready),
      event: (event) => this.#protect(() => this.#listener?.dispatch(event)),
      ended: (ending) => void this.#onEnded(ending),
    });
    this.#session.open();
  }

  #onReady(ready: Ready): void {
    const reconnected = this.#wasReady;
    this.#wasReady = true;
    this.#readySinceMs = this.#options.clock.monotonic();
    this.#tell({ state: 'ready', ready, reconnected });
    this.#settle?.resolve(ready);
    this.#settle = undefined;
  }

  /** Never rejects. */
  async #onEnded(ending: SessionEnding): Promise<void> {
    const { clock, log } = this.#options;
    const readyMs = clock.monotonic() - (this.#readySinceMs ?? Number.POSITIVE_INFINITY);
    this.#readySinceMs = undefined;
    if (readyMs >= HEALTHY_MS) this.#failures = 0;

    if (ending.refusesToken !== 'no' && (await this.#isTokenRefused(ending))) {
      if (this.#closing) return;
      const answer = `the gateway: ${ending.reason}`;
      this.#closing = this.#finish(clientErrors.E_UNAUTHORIZED({ ...this.#facts(), answer }));
      await this.#closing;
      return;
    }
    if (this.#closing) return;

    const jitter = { random: this.#options.random, ...BACKOFF };
    const delayMs = Math.max(ending.retryAfterMs, fullJitter(this.#failures, jitter));
    this.#failures += 1;
    const status = {
      state: 'reconnecting',
      reason: ending.reason,
      attempt: this.#failures,
      delayMs: Math.round(delayMs),
    } as const;
    log.warn(status, 'the gateway connection is gone; another one follows');
    this.#tell(status);
    try {
      await clock.sleep(delayMs, { signal: this.#stop.signal });
    } catch {
      // Closed meanwhile: nothing follows.
      return;
    }
    this.#open();
  }

  async #isTokenRefused({ refusesToken }: SessionEnding): Promise<boolean> {
    const { checkToken, clock, log } = this.#options;
    if (!checkToken) return refusesToken === 'likely';
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.#stop.signal]);
    const tooLate = clock.sleep(CHECK_TOKEN_MS, { signal }).catch(() => {});
    try {
      return (await Promise.race([checkToken(), tooLate])) === 'refused';
    } catch (error) {
      log.warn({ error }, 'the bot token could not be checked');
      return false;
    } finally {
      done.abort();
    }
  }

  #tell(status: GatewayStatus): void {
    this.#protect(() => this.#listener?.status?.(status));
  }

  /** A listener must not throw; if it does, the socket must not suffer for it. */
  #protect(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.log.error({ error }, 'a gateway listener threw');
    }
  }

  #facts(): CallFacts {
    const elapsedMs = this.#listener ? this.#options.clock.monotonic() - this.#startMs : 0;
    return {
      endpoint: 'gateway',
      route: `GET ${GATEWAY_PATH}`,
      attempts: this.#connections,
      elapsedMs: Math.round(elapsedMs),
    };
  }
}
