import { soon } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { TYPING_MS } from '@virgule/core/protocol';
import type { SimEvent, SimFrame } from '@virgule/core/simulator-api';
import type { WebSocket } from 'ws';
import { simBot, simCommands } from '../world/bots.js';
import type { Change } from '../world/change.js';
import { simMessage } from '../world/message-view.js';
import { simInteraction, simPlaces, simSnapshot, simVoice } from '../world/sim-views.js';
import type { World } from '../world/world.js';

/** Maximum size of the write buffer of a page, in bytes. A slower page is disconnected, and reconnects. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Maximum number of events in a frame: a page reads a whole frame at a time. */
const FRAME_MAX = 1_000;

/** Maximum number of open pages. */
const PAGES_MAX = 50;

/** "Try again later" (RFC 6455, registry of close codes). */
const TRY_AGAIN = 1013;

const frameOf = (events: SimFrame): string => JSON.stringify(events);

/** Creates the sockets of pages: each gets a snapshot, then every event. The events of one turn are one frame. */
export function createUiSockets(world: World, feed: ReturnType<typeof createSimFeed>) {
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
      if (pages.size >= PAGES_MAX) return page.close(TRY_AGAIN, `${PAGES_MAX} pages are open`);
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

/** Creates the feed of changes of the world, in the form for the page and the test kit. */
export function createSimFeed(world: World, log: Log) {
  const listeners = new Set<(event: SimEvent) => void>();
  world.subscribe((change) => {
    const event = listeners.size === 0 ? undefined : simEvent(world, change);
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
  /** Adds a listener. Returns a function that removes the listener. */
  return (listener: (event: SimEvent) => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

/** Returns the event for a change, or `undefined` if the page does not show it. */
function simEvent(world: World, change: Change): SimEvent | undefined {
  switch (change.type) {
    case 'message.created':
    case 'message.edited':
    case 'message.deleted':
    case 'message.failed':
    case 'reaction.added':
    case 'reaction.removed': {
      const isNew = change.type === 'message.created';
      return { type: 'message', message: simMessage(world, change.message), isNew };
    }
    case 'typing.started': {
      const { channelId, userId } = change;
      return { type: 'typing', channelId, userId, forMs: TYPING_MS };
    }
    case 'voice.changed':
      return { type: 'voice', voice: simVoice(world, change.voice) };
    case 'commands.replaced':
      return { type: 'commands', commands: simCommands(world.state) };
    case 'interaction.created':
    case 'interaction.changed':
      return { type: 'interaction', interaction: simInteraction(world, change.interaction) };
    case 'bot.changed':
      return { type: 'bot', bot: simBot(change.bot) };
    case 'place.saved':
    case 'place.removed':
      return { type: 'places', places: simPlaces(world) };
    case 'clock.changed':
      return { type: 'clock', clock: change.clock };
    case 'code.reloaded':
      return { type: 'reloaded', files: change.files };
    case 'problems.reported':
      return { type: 'problems', problems: change.problems };
    case 'bot.removed':
    case 'world.replaced':
      return { type: 'snapshot', snapshot: simSnapshot(world) };
    default:
      return undefined;
  }
}
