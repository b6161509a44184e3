import { TABS, type InspectorTab } from '../app/inspector.js';
import { inspector, store } from '../app/page.js';
import { CommandsTab } from './commands-tab.js';
import { EventsTab } from './events-tab.js';
import { FaultsTab } from './faults-tab.js';
import { StorageTab } from './storage-tab.js';
import { TasksTab } from './tasks-tab.js';
import { TraceTab } from './trace-list.js';
import { WorldTab } from './world-tab.js';
import { Icon, IconButton } from './controls.js';

const CONTENT = {
  trace: { label: 'Trace', Tab: TraceTab },
  commands: { label: 'Commands', Tab: CommandsTab },
  faults: { label: 'Faults', Tab: FaultsTab },
  events: { label: 'Events', Tab: EventsTab },
  world: { label: 'World', Tab: WorldTab },
  tasks: { label: 'Tasks', Tab: TasksTab },
  storage: { label: 'Storage', Tab: StorageTab },
} satisfies Record<InspectorTab, object>;

function Tabs({ open }: { readonly open: InspectorTab }) {
  const step = (by: number) => {
    const next = TABS[(TABS.indexOf(open) + by + TABS.length) % TABS.length] ?? open;
    inspector.show(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return (
    <div
      role="tablist"
      class="tabs"
      aria-label="Inspector"
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') step(1);
        if (event.key === 'ArrowLeft') step(-1);
      }}
    >
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          class="tab"
          aria-selected={tab === open}
          aria-controls="inspector-content"
          tabIndex={tab === open ? 0 : -1}
          onClick={() => inspector.show(tab)}
        >
          {CONTENT[tab].label}
        </button>
      ))}
    </div>
  );
}

/** Shows the trace, and the state of the bot and of the world, next to the chat. */
export function InspectorPanel() {
  const tab = inspector.tab.value;
  const error = inspector.error.value;
  if (tab === null) return null;
  const { Tab } = CONTENT[tab];
  return (
    <aside id="inspector" class="inspector" aria-label="Inspector" data-region="inspector">
      <h2 class="visually-hidden">Inspector</h2>
      <div class="inspector-head">
        <Tabs open={tab} />
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
      <div
        id="inspector-content"
        class={`inspector-content inspector-${tab}`}
        role="tabpanel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={0}
      >
        {tab === 'trace' ? (
          <Tab />
        ) : (
          // The other tabs change the present.
          <fieldset class="inspector-fields" disabled={store.past.value !== null}>
            <Tab />
          </fieldset>
        )}
      </div>
    </aside>
  );
}
