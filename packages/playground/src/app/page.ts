// The parts of the page in this window, for the components. The page runs until the window closes.
import { computed, effect, signal } from '@preact/signals';
import type { SimEvent } from '@virgule/core/simulator-api';
import { createSimApi } from '../net/sim-api.js';
import { openUiSocket } from '../net/ui-socket.js';
import { simTime } from '../state/sim-time.js';
import { isOpen } from '../state/interactions.js';
import { documentTitle } from '../state/place.js';
import { markRead, unreadTotal } from '../state/unread.js';
import { openStorage } from '../state/stored-text.js';
import { createActions } from './actions.js';
import { failureOf, receiveEvent } from './receive.js';
import { createFrameQueue } from './frame-queue.js';
import { createInspector } from './inspector.js';
import { createComposer, type Composer } from './composer.js';
import { createMessageLoader } from './load-messages.js';
import { createNavigation, readRoute } from './navigation.js';
import { createNews } from './news.js';
import { createBrowserPort } from './browser-port.js';
import { createRuns } from './runs.js';
import { createStore } from './store.js';
import { createTimeTravel } from './time-travel.js';
import { createTheme } from './theme.js';

/** Time between two updates of countdowns and typing indicators, in milliseconds. */
const TICK_MS = 250;

/** Events after which the bot may have other commands. */
const CHANGES = new Set(['snapshot', 'bot', 'commands', 'reloaded']);

const port = createBrowserPort(window);
const { setTimer, clearTimer, isVisible, isRoomy } = port;

const narrow = window.matchMedia('(max-width: 719px)');
/** `true` if the window has one column. */
export const isNarrow = signal(narrow.matches);
narrow.addEventListener('change', () => (isNarrow.value = narrow.matches));

export const settings = openStorage(() => window.localStorage);
export const store = createStore(readRoute(window), Date.now());
/** Returns the time of the world. */
export const now = (): number => simTime(store.world.peek().clock, Date.now());
export const api = createSimApi((input, init) => window.fetch(input, init));
export const loader = createMessageLoader(store, api);
const news = createNews(store, port);
export const navigation = createNavigation(store, window);
export const inspector = createInspector({ ...port, api, settings });
const { trace } = store.route.peek();
if (trace !== null) {
  inspector.trace.query.value = trace;
  inspector.show('trace');
}
effect(() => {
  navigation.filterTrace(inspector.tab.value === 'trace' ? inspector.trace.query.value : null);
});
function receive(event: SimEvent): void {
  if (event.type === 'snapshot') travel.end();
  else if (store.past.peek() !== null) return;
  news.add(event);
  apply(event);
}

function apply(event: SimEvent): void {
  const shownId = store.channelId.peek();
  if (event.type === 'snapshot') void inspector.read('faults');
  if (CHANGES.has(event.type)) void inspector.read('commands');
  const failed = failureOf(store, event);
  receiveEvent(store, event, { nowMs: now(), isVisible: isVisible() });
  if (event.type === 'snapshot' || event.type === 'clock') store.nowMs.value = now();
  runs.receive(event);
  if (failed !== null) inspector.suggest(failed);
  const channelId = store.channelId.peek();
  if (event.type !== 'snapshot' || shownId === null) return;
  // Events that were sent while the connection was lost are missing, so the loaded messages may be outdated.
  loader.discardOthers(channelId);
  if (channelId !== null) void loader.loadNewest(channelId);
}

export const actions = createActions(store, api, now);
const travel = createTimeTravel(store, api, (snapshot) => apply({ type: 'snapshot', snapshot }));
/** Moves the clock of the world by a duration, such as `5s`. */
export const advance = (time: string) => inspector.send('clock', { action: 'skip', time });
export const runs = createRuns(store, actions, { ...port, now, api, advance });
const scheme = window.location.protocol === 'https:' ? 'wss' : 'ws';
/** The new connection begins with the present state: also the way back from the past. */
export const { reconnectNow } = openUiSocket({
  ...port,
  open: () => new WebSocket(`${scheme}://${window.location.host}/_ui`),
  onConnection: (connection) => (store.connection.value = connection),
  onEvent: createFrameQueue(port, (events) => events.forEach(receive)),
});

effect(() => {
  const channelId = store.channelId.value;
  if (channelId === null) return;
  if (!store.logs.peek().has(channelId)) void loader.loadNewest(channelId);
});

const readOpenChannel = (channelId: string | null) => {
  const first = store.unread.peek().get(channelId ?? '')?.firstId;
  if (channelId === null || !isVisible()) return;
  if (first !== undefined) store.newLine.value = { channelId, messageId: first };
  else if (store.newLine.peek()?.channelId !== channelId) store.newLine.value = null;
  store.unread.value = markRead(store.unread.peek(), channelId);
};
effect(() => readOpenChannel(store.channelId.value));
document.addEventListener('visibilitychange', () => readOpenChannel(store.channelId.peek()));

effect(() => {
  document.title = documentTitle(store.place.value, unreadTotal(store.unread.value));
});

effect(() => {
  const nowMs = store.nowMs.value;
  const typing = [...(store.typing.value.get(store.channelId.value ?? '')?.values() ?? [])];
  if (!store.openInteractions.value.some(isOpen) && !typing.some((untilMs) => untilMs > nowMs))
    return undefined;
  const timer = setTimer(() => (store.nowMs.value = now()), TICK_MS);
  return () => clearTimer(timer);
});

const drafts = openStorage(() => window.sessionStorage);
const chooseFiles = () => document.getElementById('files')?.click();
const composers = new Map<string, Composer>();
/**
 * The composer of the open channel and the acting user; null without a channel or user. Remains after a new snapshot of the
 * same world, and while another channel is open.
 */
export const composer = computed(() => {
  const { server, channel, user } = store.place.value;
  if (server === null || channel === null || user === null) return null;
  const key = [server.id, channel.id, user.id, user.token].join(' ');
  const messages = () => inspector.shown.value.messages ?? [];
  const parts = { store, actions, messages, chooseFiles, drafts, settings };
  const opened = composers.get(key) ?? createComposer({ ...parts, server, channel, user });
  composers.set(key, opened);
  return opened;
});

export const theme = createTheme(settings, document.documentElement);

/** Shows the world at a moment; null selects the newest moment. */
export function showMoment(moment: number | null): void {
  inspector.act(async () => {
    await travel.go(moment);
    if (!isRoomy() && inspector.tab.peek() !== null) inspector.toggle();
  });
}
