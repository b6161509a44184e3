import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { SessionEnding } from './endings.js';

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

/** Decides how long to wait between two connections: longer after each failure, and after each replacement by a rival. */
export class ReconnectPauses {
  readonly #random: ResolvedGatewayOptions['random'];
  #failures = 0;
  /** Number of connections in a row that were replaced soon. */
  #replaced = 0;
  /** Last pause for a rival, in milliseconds; 0 without a rival. */
  #rivalPauseMs = 0;

  constructor(random: ResolvedGatewayOptions['random']) {
    this.#random = random;
  }

  /** Number of the current attempt since the last healthy connection, from 1 on. */
  get attempt(): number {
    return Math.max(this.#failures, 1);
  }

  /** Records the end of a connection that was ready. @param isAlive - `true` if it has answered a heartbeat. */
  noteEnd({ isReplacement }: SessionEnding, readyForMs: number, isAlive: boolean): void {
    // A healthy connection resets the failures before it.
    if (isAlive || readyForMs >= HEALTHY_MS) this.#failures = 0;
    if (!isReplacement) return;
    const { firstMs, goneFactor, [isReplacement]: limits } = RIVAL;
    const soonMs = this.#rivalPauseMs > 0 ? goneFactor * this.#rivalPauseMs : limits.soonMs;
    // A process that has just started may replace the first connection at any age.
    this.#replaced = readyForMs < soonMs ? this.#replaced + 1 : 1;
    const pauseMs = Math.min(limits.maxMs, firstMs * 2 ** (this.#replaced - 2));
    // A part of the pause is random: two processes with equal pauses would collide again.
    this.#rivalPauseMs = this.#replaced < 2 ? 0 : pauseMs * (1 + this.#random() / 2);
  }

  /** Returns the pause before the next connection, in milliseconds, and counts a failure. */
  next({ isReplacement, retryAfterMs }: SessionEnding) {
    const rivalMs = isReplacement ? this.#rivalPauseMs : 0;
    // Random, so that many clients that failed at the same moment do not return at the same moment.
    const pauseMs = this.#random() * Math.min(BACKOFF.capMs, BACKOFF.baseMs * 2 ** this.#failures);
    // Clients that a gateway refused at the same time must not come back at the same time.
    const statedMs = Math.round(retryAfterMs * (1 + this.#random() / 10));
    this.#failures += 1;
    return { delayMs: Math.max(statedMs, pauseMs, rivalMs), hasRival: rivalMs > 0 };
  }
}
