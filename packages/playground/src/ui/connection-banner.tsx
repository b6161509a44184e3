import { useApp } from './app-context.js';
import { Icon } from './icon.js';
import { Button } from './controls.js';

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
      <Button onClick={() => app.reconnectNow()}>Reconnect now</Button>
    </div>
  );
}
