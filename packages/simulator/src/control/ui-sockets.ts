import type { SimEvent } from '@virgule/core/simulator-api';
import type { WebSocket } from 'ws';
import { simSnapshot } from '../world/sim-views.js';
import type { World } from '../world/world.js';
import type { SimFeed } from './sim-feed.js';

/** Maximum size of the write buffer of a page, in bytes. A page that exceeds it reconnects and gets a snapshot. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Maximum number of open pages. */
const PAGES_MAX = 50;

/** "Try again later" (RFC 6455, registry of close codes). */
const TRY_AGAIN = 1013;

export interface UiSockets {
  accept(socket: WebSocket): void;
  close(): void;
}

/** Creates the sockets of open pages: each gets a snapshot, then every event. */
export function createUiSockets({
  world,
  feed,
}: {
  readonly world: World;
  readonly feed: SimFeed;
}): UiSockets {
  const pages = new Set<WebSocket>();

  const unsubscribe = feed.subscribe((event) => {
    if (pages.size === 0) return;
    const text = JSON.stringify(event);
    for (const page of pages) {
      if (page.bufferedAmount > MAX_BUFFERED_BYTES) page.terminate();
      else if (page.readyState === page.OPEN) page.send(text);
    }
  });

  return {
    accept(page) {
      if (pages.size >= PAGES_MAX) {
        page.close(TRY_AGAIN, `${PAGES_MAX} pages are open`);
        return;
      }
      page.on('close', () => pages.delete(page));
      pages.add(page);
      const first: SimEvent = { type: 'snapshot', snapshot: simSnapshot(world) };
      page.send(JSON.stringify(first));
    },
    close() {
      unsubscribe();
      for (const page of pages) page.close(1001, 'the simulator closes');
    },
  };
}
