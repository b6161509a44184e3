import { useApp } from './app-context.js';
import { Icon } from './icon.js';

/** Shows that the page has no connection to the simulator. */
export function ConnectionBanner() {
  const app = useApp();
  const { state } = app.store.connection.value;
  const { isReady } = app.store.world.value;
  if (state !== 'lost') return null;
  return (
    <div class="banner banner-warn" role="status">
      <Icon name="alert" />
      <p>
        {isReady
          ? 'The connection to the simulator is lost. The page reconnects automatically and loads what you missed.'
          : 'The simulator does not respond. The page retries automatically.'}
      </p>
      <button type="button" class="button" onClick={() => app.reconnectNow()}>
        Reconnect now
      </button>
    </div>
  );
}
