import { useSignal } from '@preact/signals';
import { TABS, type InspectorTab } from '../app/inspector.js';
import { inspector } from '../app/page.js';
import { Icon } from './controls.js';
import { ThemeButton } from './top-bar.js';

function View({ tab, isTabStop }: { readonly tab: InspectorTab; readonly isTabStop: boolean }) {
  const isOpen = inspector.tab.value === tab;
  const failed = tab === 'trace' ? inspector.newFailures.value : 0;
  const count = tab === 'faults' ? inspector.faultCount.value : failed;
  return (
    <button
      type="button"
      role="tab"
      id={`view-${tab}`}
      class={`view-tab view-${tab}`}
      aria-selected={isOpen}
      aria-controls={isOpen ? 'inspector-content' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => (isOpen ? inspector.toggle() : inspector.show(tab))}
    >
      <Icon name={tab} />
      <span class="view-name">{tab}</span>
      {count > 0 && <span class="badge">{count}</span>}
    </button>
  );
}

/** Shows the views of the inspector, which a click on the open view closes. */
export function ViewRail() {
  const isMoreShown = useSignal(false);
  const open = inspector.tab.value;
  const stop = open ?? 'trace';
  const at = TABS.indexOf(stop);
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % TABS.length,
    ArrowUp: at - 1,
    Home: 0,
    End: -1,
  };
  return (
    <nav class="views" aria-label="Views" data-more={isMoreShown.value} data-region="views">
      <button
        type="button"
        class="view-tab view-phone"
        aria-pressed={open === null}
        onClick={() => inspector.show(null)}
      >
        <Icon name="message" /> Chat
      </button>
      <div
        role="tablist"
        class="views-list"
        aria-label="Inspector"
        aria-orientation="vertical"
        onClick={() => (isMoreShown.value = false)}
        onKeyDown={({ key }) => {
          const next = TABS.at(targets[key] ?? TABS.length);
          if (next === undefined) return;
          inspector.show(next);
          document.getElementById(`view-${next}`)?.focus();
        }}
      >
        {TABS.map((tab) => (
          <View key={tab} tab={tab} isTabStop={tab === stop} />
        ))}
      </div>
      <ThemeButton class="view-tab view-phone view-theme">Theme</ThemeButton>
      <button
        type="button"
        class="view-tab view-phone"
        aria-expanded={isMoreShown.value}
        onClick={() => (isMoreShown.value = !isMoreShown.value)}
      >
        <Icon name="more" /> More
      </button>
    </nav>
  );
}
