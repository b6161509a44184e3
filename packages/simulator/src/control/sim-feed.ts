import type { Log } from '@virgule/core/log';
import type { SimEvent } from '@virgule/core/simulator-api';
import type { World } from '../world/world.js';
import { simEvent } from './sim-event.js';

type SimListener = (event: SimEvent) => void;

/** The changes of the world, as the page and the test kit receive them. */
export interface SimFeed {
  /** Adds a listener. Returns a function that removes it. */
  subscribe(listener: SimListener): () => void;
}

export function createSimFeed({
  world,
  log,
}: {
  readonly world: World;
  readonly log: Log;
}): SimFeed {
  const listeners = new Set<SimListener>();
  world.subscribe((change) => {
    const event = simEvent(world, change);
    if (event === undefined) return;
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        // Listeners are foreign code: an error in one must not affect the platform.
        log.error({ error, event: event.type }, 'event listener failed');
      }
    }
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
