import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { EVENT_NAMES, sampleEvent, type EventScene } from '@virgule/core/simulator-api';
import { RequestError } from '../net/request-error.js';
import type { SimApi } from '../net/sim-api.js';

/** Events that are written by hand and sent to the bot. */
export interface EventsView {
  readonly name: Signal<string>;
  /** The payload as JSON; `null` until one was asked for. */
  readonly payload: Signal<string | null>;
  /** What became of the last event; empty before. */
  readonly outcome: ReadonlySignal<string>;
  /** Chooses an event, and fills its payload in. */
  choose(name: string): void;
  send(): Promise<void>;
}

export function createEventsView(
  api: Pick<SimApi, 'sendEvent'>,
  scene: () => EventScene,
): EventsView {
  const name = signal<string>(EVENT_NAMES[0]);
  const payload = signal<string | null>(null);
  const outcome = signal('');
  return {
    name,
    payload,
    outcome,
    choose(next) {
      name.value = next;
      outcome.value = '';
      payload.value = JSON.stringify(sampleEvent(next, scene()) ?? {}, null, 2);
    },
    async send() {
      outcome.value = '';
      const sockets = await api.sendEvent(name.peek().trim(), readPayload(payload.peek() ?? ''));
      outcome.value =
        sockets === 0
          ? 'The bot did not receive it: it is not connected, or does not have the intent.'
          : `Sent ${name.peek()}.`;
    },
  };
}

function readPayload(text: string): object {
  try {
    // The simulator checks that it is an object.
    return JSON.parse(text) as object;
  } catch {
    throw new RequestError('The payload is not JSON.', 'event', null);
  }
}
