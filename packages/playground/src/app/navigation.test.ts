import { effect } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { NOW } from '../../test/fake-app.js';
import { EMPTY, GENERAL, SANDBOX, SECOND, snapshot } from '../../test/sample-world.js';
import { createNavigation, readRoute } from './navigation.js';
import { receiveEvent } from './receive.js';
import { createStore } from './store.js';

/** An address bar with a history, like that of a browser. */
function createBar(first: string) {
  const entries = [first];
  let at = 0;
  let onPop = () => {};
  const location = {
    get pathname() {
      return new URL(entries[at] ?? '/', 'http://here').pathname;
    },
    get search() {
      return new URL(entries[at] ?? '/', 'http://here').search;
    },
  };
  return {
    entries,
    location,
    history: {
      pushState(_state: unknown, _title: string, url?: string | URL | null) {
        at += 1;
        entries.splice(at, entries.length, String(url));
      },
      replaceState(_state: unknown, _title: string, url?: string | URL | null) {
        entries[at] = String(url);
      },
    },
    addEventListener: (_type: 'popstate', listener: () => void) => void (onPop = listener),
    removeEventListener: () => void (onPop = () => {}),
    go(steps: number) {
      at += steps;
      onPop();
    },
    address: () => entries[at],
  };
}

function start(address: string) {
  const bar = createBar(address);
  const store = createStore(readRoute(bar), NOW);
  const navigation = createNavigation(store, bar);
  const connect = () => {
    const event = { type: 'snapshot', snapshot: snapshot() } as const;
    receiveEvent(store, event, { nowMs: NOW, isVisible: true });
  };
  return { bar, store, navigation, connect };
}

const general = `/s/${SANDBOX.id}/c/${GENERAL.id}?as=ada`;

describe('createNavigation', () => {
  it('completes the address once it knows the world', () => {
    const { bar, connect } = start('/');
    expect(bar.address()).toBe('/');
    connect();
    expect(bar.entries).toEqual([general]);
  });

  it('follows a deep link as another user', () => {
    const { store, connect, bar } = start(`/s/${SANDBOX.id}/c/${EMPTY.id}?as=grace`);
    connect();
    expect(store.place.value.channel?.id).toBe(EMPTY.id);
    expect(store.place.value.user?.username).toBe('grace');
    expect(bar.entries).toHaveLength(1);
  });

  it('goes to a channel and back', () => {
    const { store, connect, bar, navigation } = start('/');
    connect();
    store.isDrawerOpen.value = true;
    navigation.openChannel(SANDBOX.id, EMPTY.id);
    expect(store.channelId.value).toBe(EMPTY.id);
    expect(store.isDrawerOpen.value).toBe(false);
    bar.go(-1);
    expect(store.channelId.value).toBe(GENERAL.id);
    bar.go(1);
    expect(store.channelId.value).toBe(EMPTY.id);
  });

  it('makes one step of a server that is opened without a channel', () => {
    const { store, connect, bar, navigation } = start('/');
    connect();
    navigation.openChannel(SECOND.id, null);
    expect(store.place.value.server?.id).toBe(SECOND.id);
    expect(bar.entries).toHaveLength(2);
    expect(bar.address()).toContain('/c/');
  });

  it('makes no step to where it is already', () => {
    const { connect, bar, navigation } = start('/');
    connect();
    navigation.openChannel(SANDBOX.id, GENERAL.id);
    expect(bar.entries).toHaveLength(1);
  });

  it('changes the user without a step', () => {
    const { connect, bar, navigation, store } = start('/');
    connect();
    navigation.actAs('linus');
    expect(store.place.value.user?.username).toBe('linus');
    expect(bar.entries).toEqual([general.replace('ada', 'linus')]);
  });

  it('keeps the filter of the trace without a step, also back in the history', () => {
    const { connect, bar, navigation, store } = start(`${general}&trace=old`);
    connect();
    expect(store.route.value.trace).toBe('old');
    navigation.openChannel(SANDBOX.id, EMPTY.id);
    const stop = effect(() => navigation.filterTrace('status:>=400'));
    expect(bar.address()).toMatch(/\?as=ada&trace=status%3A%3E%3D400$/);
    bar.go(-1);
    expect(bar.address()).toBe(`${general}&trace=status%3A%3E%3D400`);
    stop();
    navigation.filterTrace('');
    expect(bar.entries[0]).toBe(general);
  });
});
