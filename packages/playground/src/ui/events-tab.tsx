import { signal } from '@preact/signals';
import { EVENT_NAMES, sampleEvent } from '@virgule/core/simulator-api';
import { api, inspector, now, store } from '../app/page.js';
import { readJson } from '../net/request-error.js';
import { fieldsOfSchema, namesOf, type FormField, type FormValues } from '../state/form-fields.js';
import { TextButton } from './controls.js';
import { Form } from './form.js';

const EVENT: FormField = {
  name: 'event',
  label: 'Event',
  initial: EVENT_NAMES[0],
  names: { ...Object.fromEntries(EVENT_NAMES.map((name) => [name, name])), '': 'Another name' },
};
const OTHER: FormField = { name: 'other', label: 'Name' };
/** Parts of payloads that have a field. */
const PARTS = ['user', 'channelId', 'messageId', 'content', 'rawInput', 'emoji'] as const;

/** Values of the form, which remain while another view is open. */
const values = signal<FormValues>({});
/** `true` while the payload is edited as JSON. */
const isJson = signal(false);
/** Result of the last event; empty before the first event. */
const outcome = signal('');

/** Returns the payload of an event, with what the page shows and with the values of the form. */
function payloadOf(event: string, { user: userId, emoji, ...given }: FormValues): object {
  const { server, channel, user } = store.place.peek();
  const { voice, commands, users } = store.world.peek();
  const sample = sampleEvent(event, {
    serverId: server?.id,
    channelId: channel?.id,
    user: users.find(({ id }) => id === userId) ?? user ?? undefined,
    messageId: store.openLog.peek().messages.findLast(({ isDeleted }) => !isDeleted)?.id,
    voice: [...voice.values()][0],
    command: commands[0]?.name,
    nowMs: now(),
    newId: () => window.crypto.randomUUID(),
  });
  const parts = Object.entries(sample ?? {}).map(([name, value]) =>
    name === 'emoji' && emoji
      ? [name, { kind: 'unicode', unicodeEmoji: emoji }]
      : [name, given[name] || value],
  );
  return Object.fromEntries(parts);
}

async function send(given: FormValues): Promise<void> {
  outcome.value = '';
  const { event = '', other = '', [`payload of ${event}`]: text } = given;
  const name = event || other;
  const payload =
    text === undefined ? payloadOf(event, given) : readJson(text, 'The payload is not JSON.');
  const { sockets } = await api.ask('event', { event: name, payload });
  outcome.value =
    sockets === 0
      ? 'The bot did not receive the event: it is not connected, or does not have the intent.'
      : `Sent ${name}.`;
}

/** Returns the fields of an event: of the parts of its payload, or of its JSON. */
function fieldsOf(event: string): readonly FormField[] {
  const payload = payloadOf(event, values.value);
  const initial = JSON.stringify(payload, null, 2);
  // Each event has another text.
  const json = { name: `payload of ${event}`, label: 'Payload as JSON', type: 'json', initial };
  if (event === '') return [OTHER, { ...json, rows: 16 }];
  if (isJson.value) return [{ ...json, rows: 16 }];
  const latest = { ...payload, user: store.place.value.user?.id, emoji: '👍' };
  const names = PARTS.filter((name) =>
    name === 'user' ? 'userId' in payload || 'authorId' in payload : name in payload,
  );
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return fieldsOfSchema({ properties, required: names }, namesOf(store.world.value), latest);
}

/** Shows a form for an event that the user writes and sends to the bot. */
export function EventsTab() {
  const event = values.value['event'] ?? EVENT_NAMES[0];
  return (
    <>
      <p class="note">
        Sends this event to the bot only, exactly as written; the chat does not change. To act as a
        user, use the chat.
      </p>
      <Form
        fields={[EVENT, ...fieldsOf(event)]}
        values={values}
        submit="Send to the bot"
        onSubmit={(given) => inspector.act(() => send(given))}
      >
        <TextButton onClick={() => (isJson.value = !isJson.peek())}>
          {isJson.value ? 'Edit as fields' : 'Edit as JSON'}
        </TextButton>
        <span role="status" class="note">
          {outcome.value}
        </span>
      </Form>
    </>
  );
}
