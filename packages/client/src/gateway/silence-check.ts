import type { Timer } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import { CLOCK_SKEW_MS, type MessageHistory } from './backfill.js';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { GatewayEvent } from './port.js';
import type { Moment } from './session.js';

/** Time without events after which the newest messages are read, in milliseconds. */
const SILENT_MS = 300_000;

export type SilenceCheck = ReturnType<typeof createSilenceCheck>;

/**
 * Detects a READY connection that receives no events, by the newest messages of the channel with the latest message.
 *
 * @param onSilent - called with the time of the last event.
 */
export function createSilenceCheck(
  clock: ResolvedGatewayOptions['clock'],
  { messages }: MessageHistory,
  onSilent: (since: Moment) => void,
) {
  let run = new AbortController();
  let timer: Timer | undefined;
  let latestMessage: Readonly<Record<string, unknown>> = {};
  let lastEventMs = 0;

  /** Resolves to `true` if a user has written a message that is certainly later than a time. Never rejects. */
  async function hasNewer(wallMs: number, botUserId: string, signal: AbortSignal) {
    const { channelId, id } = latestMessage;
    if (typeof channelId !== 'string') return false;
    try {
      for await (const message of messages.history(channelId, { signal })) {
        const isNewer = Date.parse(message.createdAt) > wallMs + CLOCK_SKEW_MS;
        if (!isNewer || message.id === id) return false;
        // The platform may send a bot no events about messages that the bot wrote.
        if (message.authorId !== botUserId) return true;
      }
    } catch {
      // The next check may succeed.
    }
    return false;
  }

  async function check(botUserId: string, signal: AbortSignal): Promise<void> {
    const monotonicMs = lastEventMs;
    const silentMs = clock.monotonic() - monotonicMs;
    const wallMs = clock.now() - silentMs;
    const isSilent = silentMs >= SILENT_MS && (await hasNewer(wallMs, botUserId, signal));
    if (signal.aborted) return;
    // An event may have arrived in the meantime.
    if (isSilent && monotonicMs === lastEventMs) onSilent({ wallMs, monotonicMs });
    else checkIn(silentMs < SILENT_MS ? SILENT_MS - silentMs : SILENT_MS, botUserId, signal);
  }

  function checkIn(ms: number, botUserId: string, signal: AbortSignal): void {
    timer = clock.setTimeout(() => void check(botUserId, signal), ms, { isRoutine: true });
  }

  function stop(): void {
    timer?.cancel();
    run.abort();
  }

  return {
    /** Starts to check a connection that is READY now. */
    start(botUserId: string): void {
      stop();
      lastEventMs = clock.monotonic();
      run = new AbortController();
      checkIn(SILENT_MS, botUserId, run.signal);
    },
    note({ t, d, receivedAtMs }: GatewayEvent): void {
      lastEventMs = receivedAtMs;
      if (t === 'MESSAGE_CREATE' && isRecord(d)) latestMessage = d;
    },
    stop,
  };
}
