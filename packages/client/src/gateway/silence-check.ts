import { isRecord } from '@virgule/core/objects';
import { CLOCK_SKEW_MS, type MessageHistory } from './backfill.js';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { GatewayEvent } from './port.js';
import type { Moment } from './session.js';

/** Time without events after which the newest messages are read, in milliseconds. */
const SILENT_MS = 300_000;

/** Number of messages that a check reads: a bot may have written all since the last event. */
const MAX_READ = 200;

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
  let latestMessage: Readonly<Record<string, unknown>> = {};
  let lastEventMs = 0;

  /** Resolves to `true` if a user has written a message that is certainly later than a time. Never rejects. */
  async function hasNewer(wallMs: number, botUserId: string, signal: AbortSignal) {
    const { channelId, id } = latestMessage;
    if (typeof channelId !== 'string') return false;
    try {
      for await (const message of messages.history(channelId, { signal, limit: MAX_READ })) {
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

  /** Checks a connection until it is silent. Rejects when the signal is aborted. */
  async function check(botUserId: string, signal: AbortSignal): Promise<void> {
    for (let silentMs = 0; ;) {
      const leftMs = silentMs < SILENT_MS ? SILENT_MS - silentMs : SILENT_MS;
      await clock.sleep(leftMs, { signal, isRoutine: true });
      const monotonicMs = lastEventMs;
      silentMs = clock.monotonic() - monotonicMs;
      const wallMs = clock.now() - silentMs;
      const isSilent = silentMs >= SILENT_MS && (await hasNewer(wallMs, botUserId, signal));
      signal.throwIfAborted();
      // An event may have arrived in the meantime.
      if (isSilent && monotonicMs === lastEventMs) return onSilent({ wallMs, monotonicMs });
    }
  }

  const stop = (): void => run.abort();

  return {
    /** Starts to check a connection that is READY now. */
    start(botUserId: string): void {
      stop();
      lastEventMs = clock.monotonic();
      run = new AbortController();
      check(botUserId, run.signal).catch(() => {});
    },
    note({ t, d, receivedAtMs }: GatewayEvent): void {
      lastEventMs = receivedAtMs;
      if (t === 'MESSAGE_CREATE' && isRecord(d)) latestMessage = d;
    },
    stop,
  };
}
