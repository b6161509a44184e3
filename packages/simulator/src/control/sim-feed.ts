import type { Log } from '@virgule/core/log';
import type { SimEvent } from '@virgule/core/simulator-api';
import type { World } from '../world/world.js';
import { simEvent } from './sim-event.js';

type SimListener = (event: SimEvent) => void;

/** The world's changes as the page and the test kit hear them. */
export interface SimFeed {
  /** Returns how to stop. */
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
        // A listener is other people's code: the platform goes on without it.
        log.error({ error, event: event.type }, 'a listener of the simulator failed');
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
