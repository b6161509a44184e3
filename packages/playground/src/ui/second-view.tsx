import { actors } from '../state/place.js';
import { formatRoute } from '../state/route.js';
import { useApp } from './app-context.js';
import { Icon } from './icon.js';

/** Whether this page is a second view itself, which has no other one. */
const isSecond = (): boolean => window.parent !== window;

/** Opens and closes the second view, which begins as another user in the open channel. */
export function SecondViewButton() {
  const { store } = useApp();
  if (isSecond()) return null;
  const isOpen = store.secondView.value !== null;
  const name = isOpen ? 'Close second view' : 'Open second view';
  return (
    <button
      type="button"
      class="icon-button second-view-button"
      aria-label={name}
      title={name}
      aria-expanded={isOpen}
      onClick={() => {
        const { user } = store.place.peek();
        const other = actors(store.world.peek()).find(({ id }) => id !== user?.id);
        const as = other?.username ?? null;
        store.secondView.value = isOpen
          ? null
          : formatRoute({ ...store.route.peek(), as, trace: null });
      }}
    >
      <Icon name="split" />
    </button>
  );
}

/** Shows the page once more, with a user and a channel of its own. */
export function SecondView() {
  const address = useApp().store.secondView.value;
  if (address === null) return null;
  return (
    <section class="second-view" aria-label="Second view" data-region="second view">
      <iframe title="Second view" src={address} data-region-start="" />
    </section>
  );
}
