import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock } from '@virgule/core/clock';

/** How many events wait at most, and for how long, in milliseconds. */
const MOST = 1_000;
const LONGEST_MS = 30_000;

export interface EventBuffer {
  add(event: GatewayEvent): void;
  /** Gives what still is fresh, oldest first, and forgets everything. */
  take(): { readonly events: readonly GatewayEvent[]; readonly dropped: number };
}

/** Keeps events while no bot is there to take them. */
export function createEventBuffer(clock: Clock): EventBuffer {
  let events: GatewayEvent[] = [];
  let dropped = 0;
  return {
    add(event) {
      events.push(event);
      if (events.length > MOST) {
        events.shift();
        dropped += 1;
      }
    },
    take() {
      const sinceMs = clock.monotonic() - LONGEST_MS;
      const fresh = events.filter((event) => event.receivedAtMs >= sinceMs);
      const taken = { events: fresh, dropped: dropped + events.length - fresh.length };
      events = [];
      dropped = 0;
      return taken;
    },
  };
}
