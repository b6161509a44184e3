import { countOf, listOf } from '@virgule/core/text';
import { actors } from '../state/place.js';
import { inspector, navigation, store, theme } from '../app/page.js';
import { IconButton } from './controls.js';

function DrawerButton() {
  const isOpen = store.isDrawerOpen.value;
  return (
    <IconButton
      icon={isOpen ? 'close' : 'menu'}
      class="icon-button drawer-button"
      id="drawer-button"
      label={isOpen ? 'Close channels' : 'Open channels'}
      aria-expanded={isOpen}
      aria-controls="side"
      onClick={() => (store.isDrawerOpen.value = !isOpen)}
    />
  );
}

/** Returns the state of the bots: whether all are ready and whether any is connected, its reason and its text. */
function botState() {
  const { bots, commands, problems } = store.world.value;
  const ready = bots.filter(({ connected }) => connected);
  const [bot] = bots;
  if (bot === undefined) return null;
  if (bots.length > 1) {
    const names = listOf(ready.map(({ displayName }) => displayName)) || 'none';
    return {
      isOk: ready.length === bots.length,
      isLit: ready.length > 0,
      title: `Connected to the gateway: ${names}`,
      before: '',
      text: `${ready.length} of ${countOf(bots.length, 'bot')}`,
      after: ' ready',
    };
  }
  const { connected, displayName } = bot;
  // `virgule dev` keeps the connection of a bot that could not start.
  const hasNotStarted = connected && commands.length === 0 && problems.length > 0;
  const isOk = connected && !hasNotStarted;
  const [reason, text] = isOk
    ? ['is connected to the gateway', 'ready']
    : hasNotStarted
      ? ['could not start', 'not started']
      : ['has no open gateway connection', 'not connected'];
  const before = isOk ? `${displayName} ` : 'bot ';
  return { isOk, isLit: isOk, title: `${displayName} ${reason}`, before, text, after: '' };
}

function BotChip() {
  const state = botState();
  if (state === null) return null;
  const { isOk, isLit, title, before, text, after } = state;
  return (
    <span class={isOk ? 'chip chip-ok' : 'chip chip-warn'} title={title}>
      <span class={isLit ? 'dot' : 'dot dot-hollow'} aria-hidden="true" />
      <span class="chip-text">
        <span class="chip-name">{before}</span>
        {text}
        <span class="chip-name">{after}</span>
      </span>
    </span>
  );
}

function ActAs() {
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

const THEME_ICONS = { auto: 'auto', light: 'sun', dark: 'moon' } as const;

function ThemeButton() {
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
