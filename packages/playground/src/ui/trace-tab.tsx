import { FILTER_FIELDS } from '../state/trace-filter.js';
import { inspector } from '../app/page.js';
import { TraceDetail } from './trace-detail.js';
import { TraceList } from './trace-list.js';
import { TextButton, TextInput } from './controls.js';

function Tools() {
  const { trace } = inspector;
  const held = trace.held.value;
  return (
    <div class="trace-tools">
      <TextInput
        id="trace-filter"
        type="search"
        aria-label="Filter"
        aria-describedby="trace-fields"
        placeholder="Filter: roll status:>=400 -typing"
        text={trace.query}
        spellcheck={false}
      />
      <p id="trace-fields" class="visually-hidden">
        Words, and fields with a colon: {FILTER_FIELDS.join(', ')}. A minus excludes.
      </p>
      <div class="buttons">
        <TextButton aria-pressed={held !== null} onClick={() => trace.togglePause()}>
          {held === null ? 'Pause' : held === 0 ? 'Paused' : `Paused, ${held} new`}
        </TextButton>
        <TextButton onClick={() => trace.clear()}>Clear</TextButton>
        <span class="spacer" />
        <a class="text-button" href="/_sim/export" download>
          Save JSON<span class="visually-hidden"> of the trace</span>
        </a>
        <a class="text-button" href="/_sim/export?format=har" download>
          Save HAR<span class="visually-hidden"> of the requests</span>
        </a>
      </div>
    </div>
  );
}

/** Shows every request, frame, and log entry of the bot, grouped by interaction or message. */
export function TraceTab() {
  return (
    <>
      <Tools />
      <TraceList />
      <TraceDetail />
    </>
  );
}
