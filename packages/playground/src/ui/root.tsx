import { inspector, isNarrow, reconnectNow, store } from '../app/page.js';
import { countOf } from '@virgule/core/text';
import { formatDuration } from '../state/format.js';
import { clockText } from '../state/sim-time.js';
import { problemsTitle } from '../state/problems.js';
import { ChannelList } from './channel-list.js';
import { Button, Icon } from './controls.js';
import { Conversation } from './conversation.js';
import { openPalette } from './global-keys.js';
import { InspectorPanel } from './inspector-panel.js';
import { Palette } from './palette.js';
import { ServerRail } from './server-rail.js';
import { TopBar } from './top-bar.js';
import { ViewRail } from './view-rail.js';

function Side() {
  const isOpen = store.isDrawerOpen.value;
  return (
    <>
      <div id="side" class="side" data-open={isOpen}>
        <ServerRail />
        <ChannelList />
      </div>
      {isOpen && (
        <button
          type="button"
          class="scrim"
          aria-label="Close channels"
          onClick={() => (store.isDrawerOpen.value = false)}
        />
      )}
    </>
  );
}

function ConnectionBanner() {
  if (store.connection.value !== 'lost') return null;
  return (
    <div class="banner banner-warn" role="status">
      <Icon name="alert" />
      <p>
        The connection to the simulator is lost. The page reconnects automatically and loads what
        you missed.
      </p>
      <Button onClick={() => reconnectNow()}>Reconnect now</Button>
    </div>
  );
}

const WORDS = { connecting: 'connecting', open: 'live', lost: 'offline' } as const;

function StatusBar() {
  const { bots, clock, commands, profile, isReady } = store.world.value;
  const time = store.past.value === null ? clockText(clock) : 'the past';
  const state = store.connection.value;
  return (
    <footer class="status-bar">
      <span class={`status-${state}`}>
        <span class={state === 'open' ? 'dot' : 'dot dot-hollow'} aria-hidden="true" />
        page {WORDS[state]}
      </span>
      {bots.map((bot) => (
        <span key={bot.botUserId}>
          {bots.length > 1 ? bot.username : 'gateway'} {bot.connected ? 'connected' : 'closed'}
          {bot.identifies > 1 && `, ${countOf(bot.identifies - 1, 'reconnect')}`}
        </span>
      ))}
      {time !== '' && <span>{time}</span>}
      {isReady && <span class="status-extra">{countOf(commands.length, 'command')}</span>}
      {profile !== null && (
        <span class="status-extra">
          answer within {formatDuration(profile.answerWindowMs)}, if deferred within{' '}
          {formatDuration(profile.deferredWindowMs)}
        </span>
      )}
    </footer>
  );
}

/** Shows live regions for screen readers: polite ones for news, assertive ones for problems. */
function LiveRegions() {
  const { problems } = store.world.value;
  const [first] = problems;
  return (
    <>
      <div class="visually-hidden" role="status" aria-label="News">
        {store.spoken.value}
      </div>
      <div class="visually-hidden" role="alert">
        {first === undefined ? '' : `${problemsTitle(problems)}: ${first.message}`}
      </div>
    </>
  );
}

export function Root() {
  return (
    <>
      <a
        class="skip-link"
        href="#composer"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('composer')?.focus();
        }}
      >
        Skip to composer
      </a>
      <TopBar />
      <Side />
      <main
        class="main"
        aria-label="Conversation"
        inert={store.isDrawerOpen.value || (isNarrow.value && inspector.tab.value !== null)}
      >
        <ConnectionBanner />
        <Conversation />
      </main>
      <InspectorPanel />
      <ViewRail />
      <StatusBar />
      {openPalette.value !== null && <Palette key={openPalette.value} />}
      <LiveRegions />
    </>
  );
}
