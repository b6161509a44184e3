import type { JSX } from 'preact';
import type { InspectorTab } from '../app/inspector.js';
import { inspector, isNarrow, store } from '../app/page.js';
import { CommandsTab } from './commands-tab.js';
import { EventsTab } from './events-tab.js';
import { FaultsTab } from './faults-tab.js';
import { storageNote, StorageTab, StorageTools } from './storage-tab.js';
import { TasksTab } from './tasks-tab.js';
import { TraceTab, traceNote, TraceTools } from './trace-list.js';
import { WorldTab } from './world-tab.js';
import { Icon, IconButton, TextButton } from './controls.js';
import { Splitter } from './splitter.js';

interface Content {
  readonly View: () => JSX.Element | null;
  /** Text next to the title. */
  readonly note?: () => string;
  /** Buttons next to the title. */
  readonly Tools?: () => JSX.Element;
}

const CONTENT: Readonly<Record<InspectorTab, Content>> = {
  trace: { View: TraceTab, Tools: TraceTools, note: traceNote },
  commands: { View: CommandsTab },
  events: { View: EventsTab },
  tasks: { View: TasksTab },
  storage: { View: StorageTab, Tools: StorageTools, note: storageNote },
  world: { View: WorldTab },
  faults: { View: FaultsTab },
};

/** Shows the trace, and the state of the bot and of the world, next to the chat. */
export function InspectorPanel() {
  const tab = inspector.tab.value;
  const error = inspector.error.value;
  const removal = inspector.removal.value;
  if (tab === null) return null;
  const { View, Tools, note } = CONTENT[tab];
  // The inspector takes the place of the chat in a narrow window.
  const Pane = isNarrow.value ? 'main' : 'aside';
  return (
    <Pane id="inspector" class="inspector" aria-label="Inspector" data-region="inspector">
      <Splitter name="insp" label="Width of the inspector" max={960} />
      <div class="inspector-head">
        <h2 class="view-name">{tab}</h2>
        <span class="note cut">{note?.()}</span>
        <span class="spacer" />
        {Tools && <Tools />}
        <IconButton
          icon="close"
          label="Close inspector"
          onClick={() => {
            inspector.toggle();
            document.getElementById('inspector-button')?.focus();
          }}
        />
      </div>
      {error !== null && (
        <p class="inspector-error" role="alert">
          <Icon name="alert" /> {error.message}
        </p>
      )}
      {removal !== null && (
        <p class="inspector-error" role="status">
          {removal.what} in 10 s.
          <TextButton onClick={() => (inspector.removal.value = null)}>Undo</TextButton>
          <TextButton onClick={() => inspector.removeNow()}>Do it now</TextButton>
        </p>
      )}
      <div
        id="inspector-content"
        class={`inspector-content inspector-${tab}`}
        role="tabpanel"
        aria-labelledby={`view-${tab}`}
        tabIndex={0}
      >
        {/* The other views change the present. */}
        <fieldset class="inspector-fields" disabled={tab !== 'trace' && store.past.value !== null}>
          <View />
        </fieldset>
      </div>
    </Pane>
  );
}
