import { useEffect } from 'preact/hooks';
import { EVENT_NAMES } from '@virgule/core/simulator-api';
import { inspector } from '../app/page.js';
import { JsonField, TextInput } from './controls.js';

/** Shows a form for an event that the user writes and sends to the bot. */
export function EventsTab() {
  const { events } = inspector;
  const name = events.name.value;
  const isKnown = EVENT_NAMES.some((each) => each === name);
  useEffect(() => {
    if (events.payload.peek() === null) events.choose(events.name.peek());
  }, []);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        inspector.act(() => events.send());
      }}
    >
      <p class="fault-note event-note">
        Sends this event to the bot only, exactly as written; the chat does not change. To act as a
        user, use the chat.
      </p>
      <label class="fault-draft">
        Event
        <select
          value={isKnown ? name : ''}
          onChange={(event) => events.choose(event.currentTarget.value)}
        >
          {EVENT_NAMES.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
          <option value="">Another name</option>
        </select>
      </label>
      {!isKnown && (
        <label class="fault-draft">
          Name
          <TextInput text={events.name} spellcheck={false} autocomplete="off" required />
        </label>
      )}
      <JsonField label="Payload as JSON" rows={16} text={events.payload} />
      <div class="fault-buttons">
        <button type="submit" class="button">
          Send to the bot
        </button>
        <span role="status" class="fault-note">
          {events.outcome.value}
        </span>
      </div>
    </form>
  );
}
