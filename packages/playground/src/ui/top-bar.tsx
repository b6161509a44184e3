import { countOf, listOf } from '@virgule/core/text';
import { actors } from '../state/place.js';
import type { ThemeChoice } from '../app/theme.js';
import { useApp } from './app-context.js';
import type { IconName } from './icon.js';
import { IconButton } from './controls.js';

function DrawerButton() {
  const { store } = useApp();
  const isOpen = store.isDrawerOpen.value;
  return (
    <IconButton
      icon={isOpen ? 'close' : 'menu'}
      class="icon-button drawer-button"
      id="drawer-button"
      label={isOpen ? 'Close channels' : 'Open channels'}
      aria-expanded={isOpen}
      aria-controls="side"
      onClick={() => {
        store.isDrawerOpen.value = !isOpen;
      }}
    />
  );
}

function BotChip() {
  const { bots, commands, problems } = useApp().store.world.value;
  const [bot] = bots;
  if (bot === undefined) return null;
  if (bots.length > 1) {
    const ready = bots.filter(({ connected }) => connected);
    return (
      <span
        class={ready.length === bots.length ? 'chip chip-ok' : 'chip chip-warn'}
        title={`Connected to the gateway: ${listOf(ready.map((each) => each.displayName)) || 'none'}`}
      >
        <span class={ready.length > 0 ? 'dot' : 'dot dot-hollow'} aria-hidden="true" />
        <span class="chip-text">
          {ready.length} of {countOf(bots.length, 'bot')}
          <span class="chip-name"> ready</span>
        </span>
      </span>
    );
  }
  // `virgule dev` keeps the connection of a bot that could not start.
  if (bot.connected && commands.length === 0 && problems.length > 0) {
    return (
      <span class="chip chip-warn" title={`${bot.displayName} could not start`}>
        <span class="dot dot-hollow" aria-hidden="true" />
        <span class="chip-text">
          <span class="chip-name">bot </span>not started
        </span>
      </span>
    );
  }
  return bot.connected ? (
    <span class="chip chip-ok" title={`${bot.displayName} is connected to the gateway`}>
      <span class="dot" aria-hidden="true" />
      <span class="chip-text">
        <span class="chip-name">{bot.displayName} </span>ready
      </span>
    </span>
  ) : (
    <span class="chip chip-warn" title={`${bot.displayName} has no open gateway connection`}>
      <span class="dot dot-hollow" aria-hidden="true" />
      <span class="chip-text">
        <span class="chip-name">bot </span>not connected
      </span>
    </span>
  );
}

function ActAs() {
  const { store, navigation } = useApp();
  const current = store.place.value.user;
  if (current === null) return null;
  return (
    <label class="act-as">
      <span class="act-as-label">Act as</span>
      <select
        value={current.username}
        onChange={(event) => navigation.actAs(event.currentTarget.value)}
      >
        {actors(store.world.value).map((user) => (
          <option key={user.id} value={user.username}>
            {user.role === '' ? user.displayName : `${user.displayName} (${user.role})`}
          </option>
        ))}
      </select>
    </label>
  );
}

const THEME_ICONS: Readonly<Record<ThemeChoice, IconName>> = {
  auto: 'auto',
  light: 'sun',
  dark: 'moon',
};

function ThemeButton() {
  const { theme } = useApp();
  const choice = theme.choice.value;
  return (
    <IconButton
      icon={THEME_ICONS[choice]}
      label={`Theme: ${choice}`}
      title={`Theme: ${choice}`}
      onClick={() => theme.next()}
    />
  );
}

function InspectorButton() {
  const { inspector } = useApp();
  const isOpen = inspector.tab.value !== null;
  return (
    <IconButton
      icon="panel"
      id="inspector-button"
      label={isOpen ? 'Close inspector' : 'Open inspector'}
      aria-expanded={isOpen}
      aria-controls="inspector"
      title="Inspector (Ctrl+.)"
      onClick={() => inspector.toggle()}
    />
  );
}

function FaultsChip() {
  const { inspector } = useApp();
  const count = inspector.faults.count.value;
  if (count === 0) return null;
  return (
    <button type="button" class="chip chip-warn" onClick={() => inspector.show('faults')}>
      <span class="chip-text">
        {countOf(count, 'fault')}
        <span class="chip-name"> on</span>
      </span>
    </button>
  );
}

export function TopBar() {
  return (
    <header class="top-bar">
      <DrawerButton />
      <h1 class="brand">
        <span class="brand-mark" aria-hidden="true">
          /
        </span>
        Playground
      </h1>
      <BotChip />
      <FaultsChip />
      <span class="spacer" />
      <ActAs />
      <ThemeButton />
      <InspectorButton />
    </header>
  );
}
