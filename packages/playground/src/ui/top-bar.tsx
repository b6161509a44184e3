import type { ButtonHTMLAttributes } from 'preact';
import { countOf, listOf } from '@virgule/core/text';
import { actors } from '../state/place.js';
import { inspector, isNarrow, navigation, store, theme } from '../app/page.js';
import { Avatar } from './avatar.js';
import { Icon, IconButton } from './controls.js';
import { openPalette } from './global-keys.js';

function BotChip() {
  const { bots, commands, problems } = store.world.value;
  const [bot] = bots;
  if (bot === undefined) return null;
  const connected = bots.filter((each) => each.connected);
  const isOne = bots.length === 1;
  // `virgule dev` keeps the connection of a bot that could not start.
  const hasStarted = !isOne || commands.length > 0 || problems.length === 0;
  const isReady = connected.length === bots.length && hasStarted;
  const isLit = isOne ? isReady : connected.length > 0;
  const state = isReady ? 'ready' : bot.connected ? 'bot not started' : 'bot not connected';
  const names = listOf(connected.map(({ displayName }) => displayName)) || 'none';
  return (
    <span
      class={isReady ? 'chip chip-ok' : 'chip chip-warn'}
      title={`Connected to the gateway: ${names}`}
    >
      <span class={isLit ? 'dot' : 'dot dot-hollow'} aria-hidden="true" />
      <span class="chip-text">
        {bots.length > 1 ? `${connected.length} of ${countOf(bots.length, 'bot')} ready` : state}
      </span>
    </span>
  );
}

function ActAs() {
  const current = store.place.value.user;
  if (current === null) return null;
  return (
    <label class="act-as">
      <span class="visually-hidden">Act as</span>
      <Avatar id={current.id} name={current.displayName} size="small" />
      <select
        id="act-as"
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

export function ThemeButton(props: Pick<ButtonHTMLAttributes, 'class' | 'children'>) {
  const choice = theme.choice.value;
  return (
    <IconButton
      {...props}
      icon={THEME_ICONS[choice]}
      label={`Theme: ${choice}`}
      onClick={() => theme.next()}
    />
  );
}

function FaultsChip() {
  const count = inspector.faultCount.value;
  if (count === 0) return null;
  return (
    <button type="button" class="chip chip-warn" onClick={() => inspector.show('faults')}>
      <Icon name="faults" />
      <span class="chip-text">{isNarrow.value ? count : `${countOf(count, 'fault')} on`}</span>
    </button>
  );
}

export function TopBar() {
  const { bots } = store.world.value;
  const isDrawerOpen = store.isDrawerOpen.value;
  const isInspectorOpen = inspector.tab.value !== null;
  return (
    <header class="top-bar">
      <IconButton
        icon={isDrawerOpen ? 'close' : 'menu'}
        class="icon-button drawer-button"
        id="drawer-button"
        label={isDrawerOpen ? 'Close channels' : 'Open channels'}
        aria-expanded={isDrawerOpen}
        aria-controls="side"
        onClick={() => (store.isDrawerOpen.value = !isDrawerOpen)}
      />
      <h1 class={isNarrow.value ? 'visually-hidden' : 'brand'}>
        <span class="brand-mark" aria-hidden="true">
          /
        </span>
        {bots.length === 1 ? bots[0]?.displayName : 'Playground'}
      </h1>
      <BotChip />
      <FaultsChip />
      <span class="spacer" />
      <button type="button" class="search-button" onClick={() => (openPalette.value = 'all')}>
        <Icon name="search" />
        <span class="cut">Run a command, open a channel</span>
        <kbd>Ctrl K</kbd>
      </button>
      <span class="spacer" />
      <ActAs />
      <ThemeButton />
      <IconButton
        icon="panel"
        id="inspector-button"
        label={isInspectorOpen ? 'Close inspector' : 'Open inspector'}
        aria-expanded={isInspectorOpen}
        aria-controls="inspector"
        title="Inspector (Ctrl+.)"
        onClick={() => inspector.toggle()}
      />
    </header>
  );
}
