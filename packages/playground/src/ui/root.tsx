import { inspector, isNarrow, reconnectNow, store } from '../app/page.js';
import { problemsTitle } from '../state/problems.js';
import { ChannelList } from './channel-list.js';
import { Button } from './controls.js';
import { Conversation } from './conversation.js';
import { Icon } from './icon.js';
import { InspectorPanel } from './inspector-panel.js';
import { ServerRail } from './server-rail.js';
import { StatusBar } from './status-bar.js';
import { TopBar } from './top-bar.js';

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

/** Shows that the page has no connection to the simulator. */
function ConnectionBanner() {
  const { state } = store.connection.value;
  const { isReady } = store.world.value;
  if (state !== 'lost') return null;
  return (
    <div class="banner banner-warn" role="status">
      <Icon name="alert" />
      <p>
        {isReady
          ? 'The connection to the simulator is lost. The page reconnects automatically and loads what you missed.'
          : 'The simulator does not respond. The page retries automatically.'}
      </p>
      <Button onClick={() => reconnectNow()}>Reconnect now</Button>
    </div>
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

/** Shows the page. */
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
      <StatusBar />
      <LiveRegions />
    </>
  );
}
