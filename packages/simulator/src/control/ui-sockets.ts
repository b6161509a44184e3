import { soon } from '@virgule/core/clock';
import type { SimEvent, SimFrame } from '@virgule/core/simulator-api';
import type { WebSocket } from 'ws';
import { simSnapshot } from '../world/sim-views.js';
import type { World } from '../world/world.js';
import type { SimFeed } from './sim-event.js';

/**
 * Maximum size of the write buffer of a page, in bytes. A page with a larger buffer is disconnected; it reconnects and
 * gets a snapshot.
 */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Maximum number of events in a frame: a page reads a whole frame at a time. */
const FRAME_MAX = 1_000;

/** Maximum number of open pages. */
const PAGES_MAX = 50;

/** "Try again later" (RFC 6455, registry of close codes). */
const TRY_AGAIN = 1013;

const frameOf = (events: SimFrame): string => JSON.stringify(events);

/**
 * Creates the sockets of open pages: each page gets a snapshot, then every event. The events of one turn are one frame.
 */
export function createUiSockets(world: World, feed: SimFeed) {
  const pages = new Set<WebSocket>();

  let events: SimEvent[] = [];

  function flush(): void {
    if (events.length === 0) return;
    const frame = frameOf(events);
    events = [];
    for (const page of pages) {
      if (page.bufferedAmount > MAX_BUFFERED_BYTES) page.terminate();
      else if (page.readyState === page.OPEN) page.send(frame);
    }
  }

  function add(event: SimEvent): void {
    events.push(event);
    if (events.length === 1) soon(flush);
    if (events.length >= FRAME_MAX) flush();
  }
  /** Set while a page is open: the feed creates no events without a listener. */
  let unsubscribe = (): void => {};

  return {
    accept(page: WebSocket): void {
      if (pages.size >= PAGES_MAX) {
        page.close(TRY_AGAIN, `${PAGES_MAX} pages are open`);
        return;
      }
      page.on('close', () => {
        pages.delete(page);
        if (pages.size === 0) unsubscribe();
      });
      // Flushes earlier events, which must not follow the newer snapshot.
      flush();
      if (pages.size === 0) unsubscribe = feed(add);
      pages.add(page);
      page.send(frameOf([{ type: 'snapshot', snapshot: simSnapshot(world) }]));
    },
    close(): void {
      unsubscribe();
      flush();
      for (const page of pages) page.close(1001, 'the simulator closes');
    },
  };
}
