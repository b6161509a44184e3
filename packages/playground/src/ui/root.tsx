import { useLayoutEffect } from 'preact/hooks';
import { AppContext, useApp } from './app-context.js';
import type { App } from '../app/app.js';
import { ChannelList } from './channel-list.js';
import { ConnectionBanner } from './connection-banner.js';
import { Conversation } from './conversation.js';
import { listenToKeys } from './global-keys.js';
import { InspectorPanel } from './inspector-panel.js';
import { LiveRegions } from './live-regions.js';
import { ServerRail } from './server-rail.js';
import { StatusBar } from './status-bar.js';
import { TopBar } from './top-bar.js';
import { NARROW, useMedia } from './use-media.js';

function Side() {
  const { store } = useApp();
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
          onClick={() => {
            store.isDrawerOpen.value = false;
          }}
        />
      )}
    </>
  );
}

function Page() {
  const app = useApp();
  const isNarrow = useMedia(NARROW);
  useLayoutEffect(() => listenToKeys(window, app), [app]);
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
        inert={app.store.isDrawerOpen.value || (isNarrow && app.inspector.tab.value !== null)}
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

/** Renders the page. */
export function Root({ app }: { readonly app: App }) {
  return (
    <AppContext.Provider value={app}>
      <Page />
    </AppContext.Provider>
  );
}
