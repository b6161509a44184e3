import type { GatewayEvent } from '@virgule/client/gateway';
import type { Clock } from '@virgule/core/clock';

/** How many events wait at most, and for how long, in milliseconds. */
const MAX_EVENTS = 1_000;
const MAX_AGE_MS = 30_000;

export interface EventBuffer {
  add(event: GatewayEvent): void;
  /** Returns the events that have not expired, oldest first, and removes all. */
  take(): { readonly events: readonly GatewayEvent[]; readonly dropped: number };
}

/** Keeps events while no bot is there to take them. `onDrop` gets each one that is given up. */
export function createEventBuffer(
  clock: Clock,
  onDrop: (event: GatewayEvent) => void = () => {},
): EventBuffer {
  let events: GatewayEvent[] = [];
  let dropped = 0;
  return {
    add(event) {
      events.push(event);
      if (events.length <= MAX_EVENTS) return;
      for (const oldest of events.splice(0, 1)) onDrop(oldest);
      dropped += 1;
    },
    take() {
      const sinceMs = clock.monotonic() - MAX_AGE_MS;
      const isFresh = ({ receivedAtMs }: GatewayEvent): boolean => receivedAtMs >= sinceMs;
      const fresh = events.filter(isFresh);
      for (const event of events) if (!isFresh(event)) onDrop(event);
      const taken = { events: fresh, dropped: dropped + events.length - fresh.length };
      events = [];
      dropped = 0;
      return taken;
    },
  };
}
