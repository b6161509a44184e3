import type { SimEvent } from '@virgule/core/simulator-api';
import { plainText } from '../markdown/plain-text.js';
import { describeInteraction } from '../state/interaction-text.js';
import { messageText } from '../state/message-text.js';
import type { BrowserPort } from './browser-port.js';
import type { Store } from './store.js';

/** Minimum time between two announcements for screen readers, in milliseconds. */
const ANNOUNCE_EVERY_MS = 1000;

const MAX_SPOKEN = 200;

/** Combines several announcements into one. */
export function summarizeNews(news: readonly string[]): string {
  const last = news.at(-1);
  if (last === undefined) return '';
  const spoken = last.length > MAX_SPOKEN ? `${last.slice(0, MAX_SPOKEN)}…` : last;
  if (news.length <= 2) return [...news.slice(0, -1), spoken].join('. ');
  return `${news.length} new, the last: ${spoken}`;
}

/** Returns the announcement of an event; empty for an event without one. */
function newsOf(store: Store, event: SimEvent): string {
  const { user, channel } = store.place.peek();
  if (event.type === 'message') {
    const { message, isNew } = event;
    if (!isNew || message.channelId !== channel?.id || message.authorId === user?.id) return '';
    return `${message.authorDisplayName}: ${plainText(messageText(message), store.names.peek())}`;
  }
  if (event.type === 'interaction' && event.interaction.channelId === channel?.id) {
    const { state, commandName } = event.interaction;
    const { text } = describeInteraction(event.interaction, store.world.peek(), 0);
    if (/^(?:deferred|expired|acknowledged)$/.test(state)) return `/${commandName}: ${text}`;
  }
  return '';
}

/** Creates announcements in the live region, at most one per second. */
export function createNews(store: Store, { setTimer }: Pick<BrowserPort, 'setTimer'>) {
  let waiting: string[] = [];
  const speak = () => {
    store.spoken.value = summarizeNews(waiting);
    waiting = [];
  };
  return {
    /** Adds an event. Must be called before the event is applied to the store. */
    add(event: SimEvent) {
      const text = newsOf(store, event);
      if (text === '') return;
      waiting.push(text);
      if (waiting.length === 1) setTimer(speak, ANNOUNCE_EVERY_MS);
    },
  };
}
