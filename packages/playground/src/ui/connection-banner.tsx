import { useApp } from './app-context.js';
import { Icon } from './icon.js';

/** Says that the page has lost the simulator, for as long as it has. */
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
          ? 'The connection to the simulator is lost. It comes back by itself, with all you missed.'
          : 'The simulator does not answer. Trying again by itself.'}
      </p>
      <button type="button" class="button" onClick={() => app.reconnectNow()}>
        Reconnect now
      </button>
    </div>
  );
}
