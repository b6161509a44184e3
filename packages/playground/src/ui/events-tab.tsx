import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { EVENT_NAMES, sampleEvent } from '@virgule/core/simulator-api';
import { inspector, store } from '../app/page.js';
import { readJson } from '../net/request-error.js';
import { simTime } from '../state/sim-time.js';
import { Form, type FormField, type FormValues } from './form.js';

const CHOICES = {
  ...Object.fromEntries(EVENT_NAMES.map((name) => [name, name])),
  '': 'Another name',
};
const OTHER: FormField = { name: 'other', label: 'Name' };
const PAYLOAD: FormField = { name: 'payload', label: 'Payload as JSON', rows: 16 };

/** Values of the form, which remain while another tab is open. */
const values = signal<FormValues>({});
/** Result of the last event; empty before the first event. */
const outcome = signal('');

/** Chooses an event, and fills in its payload with what the page shows. */
function choose(event: string): void {
  const { server, channel, user } = store.place.peek();
  const { voice, commands, clock } = store.world.peek();
  const payload = sampleEvent(event, {
    serverId: server?.id,
    channelId: channel?.id,
    user: user ?? undefined,
    messageId: store.openLog.peek().messages.findLast(({ isDeleted }) => !isDeleted)?.id,
    voice: [...voice.values()][0],
    command: commands[0]?.name,
    nowMs: simTime(clock, Date.now()),
    newId: () => window.crypto.randomUUID(),
  });
  outcome.value = '';
  values.value = { event, payload: JSON.stringify(payload ?? {}, null, 2) };
}

async function send({ event, other = '', payload = '' }: FormValues): Promise<void> {
  outcome.value = '';
  const name = event || other.trim();
  const sockets = await inspector.sendEvent(name, readJson(payload, 'The payload is not JSON.'));
  outcome.value =
    sockets === 0
      ? 'The bot did not receive the event: it is not connected, or does not have the intent.'
      : `Sent ${name}.`;
}

/** Shows a form for an event that the user writes and sends to the bot. */
export function EventsTab() {
  useEffect(() => {
    if (values.peek()['event'] === undefined) choose(EVENT_NAMES[0]);
  }, []);
  const event: FormField = { name: 'event', label: 'Event', choices: CHOICES, onChoose: choose };
  return (
    <>
      <p class="note">
        Sends this event to the bot only, exactly as written; the chat does not change. To act as a
        user, use the chat.
      </p>
      <Form
        fields={[event, ...(values.value['event'] === '' ? [OTHER] : []), PAYLOAD]}
        values={values}
        submit="Send to the bot"
        onSubmit={(typed) => inspector.act(() => send(typed))}
      >
        <span role="status" class="note">
          {outcome.value}
        </span>
      </Form>
    </>
  );
}
