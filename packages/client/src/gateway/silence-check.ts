import type { Timer } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import { CLOCK_SKEW_MS, type MessageHistory } from './backfill.js';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { GatewayEvent } from './port.js';
import type { Moment } from './session.js';

/** Time without events after which the newest messages are read, in milliseconds. */
const SILENT_MS = 300_000;

/** Detects a READY connection that receives no events, by the newest messages of the channel with the latest message. */
export class SilenceCheck {
  readonly #clock: ResolvedGatewayOptions['clock'];
  readonly #history: MessageHistory;
  /** Called with the time of the last event. */
  readonly #onSilent: (since: Moment) => void;
  #run = new AbortController();
  #timer: Timer | undefined;
  /** The latest message. */
  #latest: Readonly<Record<string, unknown>> = {};
  #lastEventMs = 0;

  constructor(
    clock: ResolvedGatewayOptions['clock'],
    history: MessageHistory,
    onSilent: (since: Moment) => void,
  ) {
    this.#clock = clock;
    this.#history = history;
    this.#onSilent = onSilent;
  }

  /** Starts to check a connection that is READY now. */
  start(botUserId: string): void {
    this.stop();
    this.#lastEventMs = this.#clock.monotonic();
    this.#run = new AbortController();
    this.#checkIn(SILENT_MS, botUserId, this.#run.signal);
  }

  note({ t, d, receivedAtMs }: GatewayEvent): void {
    this.#lastEventMs = receivedAtMs;
    if (t === 'MESSAGE_CREATE' && isRecord(d)) this.#latest = d;
  }

  stop(): void {
    this.#timer?.cancel();
    this.#run.abort();
  }

  #checkIn(ms: number, botUserId: string, signal: AbortSignal): void {
    const check = async (): Promise<void> => {
      const monotonicMs = this.#lastEventMs;
      const silentMs = this.#clock.monotonic() - monotonicMs;
      const wallMs = this.#clock.now() - silentMs;
      const isSilent = silentMs >= SILENT_MS && (await this.#hasNewer(wallMs, botUserId, signal));
      if (signal.aborted) return;
      // An event may have arrived in the meantime.
      if (isSilent && monotonicMs === this.#lastEventMs) this.#onSilent({ wallMs, monotonicMs });
      else
        this.#checkIn(silentMs < SILENT_MS ? SILENT_MS - silentMs : SILENT_MS, botUserId, signal);
    };
    this.#timer = this.#clock.setTimeout(() => void check(), ms, { isRoutine: true });
  }

  /** Resolves to `true` if a user has written a message that is certainly later than a time. Never rejects. */
  async #hasNewer(wallMs: number, botUserId: string, signal: AbortSignal): Promise<boolean> {
    const { channelId, id } = this.#latest;
    if (typeof channelId !== 'string') return false;
    try {
      for await (const message of this.#history.messages.history(channelId, { signal })) {
        const isNewer = Date.parse(message.createdAt) > wallMs + CLOCK_SKEW_MS;
        if (!isNewer || message.id === id) return false;
        // The bot may receive no events of its own messages.
        if (message.authorId !== botUserId) return true;
      }
    } catch {
      // The next check may succeed.
    }
    return false;
  }
}
