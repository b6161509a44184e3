import { effect } from '@preact/signals';
import { formatRoute, isSameRoute, parseRoute, type Route } from '../state/route.js';
import type { Store } from './store.js';

/** The part of `window` that navigation uses. */
export interface AddressBar {
  readonly location: Pick<Location, 'pathname' | 'search'>;
  readonly history: Pick<History, 'pushState' | 'replaceState'>;
  addEventListener(type: 'popstate', listener: () => void): void;
}

export const readRoute = ({ location }: Pick<AddressBar, 'location'>): Route =>
  parseRoute(location.pathname, location.search);

/** Synchronizes the URL with the route of the store, and completes partial URLs. */
export function createNavigation(store: Store, bar: AddressBar) {
  const show = (route: Route, how: 'pushState' | 'replaceState') => {
    if (isSameRoute(route, store.route.peek())) return;
    bar.history[how](null, '', formatRoute(route));
    store.route.value = route;
  };
  bar.addEventListener('popstate', () => (store.route.value = readRoute(bar)));

  effect(() => {
    if (!store.world.value.isReady) return;
    const { server, channel, user } = store.place.value;
    const full: Route = {
      serverId: server?.id ?? null,
      channelId: channel?.id ?? null,
      as: user?.username ?? null,
      trace: store.route.value.trace,
    };
    show(full, 'replaceState');
  });

  return {
    /** Opens a channel, as a new entry in the browser's history. */
    openChannel(serverId: string, channelId: string | null) {
      store.isDrawerOpen.value = false;
      show({ ...store.route.peek(), serverId, channelId }, 'pushState');
    },
    /** Acts as another user in this tab. */
    actAs: (username: string) => show({ ...store.route.peek(), as: username }, 'replaceState'),
    /** Shows the filter of the trace in the URL. An effect calls this again when the browser goes back. */
    filterTrace: (filter: string | null) =>
      show({ ...store.route.value, trace: filter || null }, 'replaceState'),
  };
}
