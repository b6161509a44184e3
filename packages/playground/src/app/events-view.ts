import { signal } from '@preact/signals';
import { EVENT_NAMES, sampleEvent, type EventScene } from '@virgule/core/simulator-api';
import { readJson } from '../net/request-error.js';
import type { SimApi } from '../net/sim-api.js';

/** Creates the form for events that a user writes and sends to the bot. */
export function createEventsView(api: Pick<SimApi, 'ask'>, scene: () => EventScene) {
  const name = signal<string>(EVENT_NAMES[0]);
  /** The payload as JSON; `null` until an event is chosen. */
  const payload = signal<string | null>(null);
  /** Result of the last event; empty before the first event. */
  const outcome = signal('');
  return {
    name,
    payload,
    outcome,
    /** Chooses an event, and fills in its payload. */
    choose(next: string) {
      name.value = next;
      outcome.value = '';
      payload.value = JSON.stringify(sampleEvent(next, scene()) ?? {}, null, 2);
    },
    async send() {
      outcome.value = '';
      const event = name.peek().trim();
      const { sockets } = await api.ask('event', {
        event,
        payload: readJson(payload.peek() ?? '', 'The payload is not JSON.'),
      });
      outcome.value =
        sockets === 0
          ? 'The bot did not receive the event: it is not connected, or does not have the intent.'
          : `Sent ${name.peek()}.`;
    },
  };
}
