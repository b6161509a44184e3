import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type {
  EventScene,
  SimStoredEntry,
  SimStoredPage,
  SimTask,
  SimTaskRun,
} from '@virgule/core/simulator-api';
import type { PlaceKind, SimApi } from '../net/sim-api.js';
import type { TextStorage } from '../state/stored-text.js';
import { asRequestError } from './actions.js';
import { createEventsView, type EventsView } from './events-view.js';
import { createFaultsView, type FaultsView } from './faults-view.js';
import { createTraceView, type TraceView } from './trace-view.js';
import { createWorldView, type WorldView } from './world-view.js';
import { RequestError } from '../net/request-error.js';

export const TABS = ['trace', 'commands', 'faults', 'events', 'world', 'tasks', 'storage'] as const;
export type InspectorTab = (typeof TABS)[number];

/** How often an open tab is read again, in milliseconds. */
const REFRESH_MS: Readonly<Record<InspectorTab, number>> = {
  trace: 400,
  commands: 1_000,
  faults: 1_000,
  // Nothing is read.
  events: 60_000,
  // The simulator sends the rest.
  world: 2_000,
  tasks: 2_000,
  storage: 2_000,
};
const KEY = 'virgule.inspector';

/** Shows what happened, faults, and what the bot itself keeps: its tasks and its storage. They are read again while they are shown. */
export interface Inspector {
  /** The open tab; `null` while the inspector is closed. */
  readonly tab: ReadonlySignal<InspectorTab | null>;
  readonly trace: TraceView;
  readonly faults: FaultsView;
  readonly events: EventsView;
  readonly world: WorldView;
  /** The file of each command, by name. */
  readonly files: ReadonlySignal<ReadonlyMap<string, string>>;
  /** Names of the saved conversations. */
  readonly conversations: ReadonlySignal<readonly string[]>;
  /** Does something, and shows why it failed. */
  act(ask: () => Promise<unknown>): void;
  /** Changes a user, server, channel or role; adds one, or a bot, if `id` is null. */
  changeWorld(kind: PlaceKind, id: string | null, body: object): void;
  /** Deletes a bot, user, server, channel or role. */
  removeFromWorld(kind: PlaceKind, id: string): void;
  /** `null` until they were read. */
  readonly tasks: ReadonlySignal<readonly SimTask[] | null>;
  readonly stored: ReadonlySignal<SimStoredPage | null>;
  readonly prefix: ReadonlySignal<string>;
  /** Why the last request failed. */
  readonly error: ReadonlySignal<RequestError | null>;
  show(tab: InspectorTab): void;
  /** Shows what happened around an interaction or message. */
  explain(group: string): void;
  /**
   * Does so for something that went wrong, unless the inspector would cover the chat, shows another tab, or was closed
   * after it had opened by itself.
   */
  suggest(group: string): void;
  /** Opens the tab that was open last, or closes it. */
  toggle(): void;
  filter(prefix: string): void;
  /** Reads the next entries. */
  more(): void;
  /** Runs a task now. `payload` is JSON; empty for none. */
  run(task: SimTask, payload: string): void;
  cancel(run: SimTaskRun): void;
  retry(run: SimTaskRun): void;
}

export interface InspectorWorld {
  readonly api: Pick<
    SimApi,
    | 'readCommandFiles'
    | 'readConversations'
    | 'readTasks'
    | 'changeTask'
    | 'readStorage'
    | 'readTrace'
    | 'readTraceRow'
    | 'readFaults'
    | 'setFaults'
    | 'dropGateway'
    | 'changePlace'
    | 'removePlace'
    | 'readSnapshots'
    | 'saveSnapshot'
    | 'restoreSnapshot'
    | 'deleteSnapshot'
    | 'resetWorld'
    | 'moveClock'
    | 'sendEvent'
  >;
  /** What events that are written by hand refer to. */
  readonly scene: () => EventScene;
  readonly settings: TextStorage;
  readonly isVisible: () => boolean;
  /** Whether the inspector fits next to the chat. */
  readonly isRoomy: () => boolean;
  readonly setTimer: (callback: () => void, delayMs: number) => number;
  readonly clearTimer: (timer: number) => void;
}

export function createInspector(context: InspectorWorld): Inspector {
  const { api, scene, settings, isVisible, isRoomy, setTimer, clearTimer } = context;
  const tab = signal<InspectorTab | null>(null);
  const files = signal<ReadonlyMap<string, string>>(new Map());
  const conversations = signal<readonly string[]>([]);
  const tasks = signal<readonly SimTask[] | null>(null);
  const stored = signal<SimStoredPage | null>(null);
  const prefix = signal('');
  const error = signal<RequestError | null>(null);
  const trace = createTraceView(api);
  const faults = createFaultsView(api);
  const events = createEventsView(api, scene);
  const world = createWorldView(api);
  const saved = settings.getItem(KEY);
  let last: InspectorTab = TABS.find((each) => each === saved) ?? 'trace';
  let timer: number | undefined;
  let hasOpenedItself = false;
  /** Whether it was closed after it had opened by itself. */
  let isUnwanted = false;
  /** Answers to questions that were asked before another prefix or tab was chosen are ignored. */
  let turn = 0;

  /** Whether the error is that of an action: it stays until the next one, whatever is read meanwhile. */
  let isOfAction = false;

  async function attempt(ask: () => Promise<unknown>, isAction = false): Promise<void> {
    const asked = turn;
    const outcome = await ask().then(
      () => null,
      (thrown: unknown) => asRequestError(thrown),
    );
    if (asked !== turn || (isOfAction && !isAction)) return;
    error.value = outcome;
    isOfAction = isAction && outcome !== null;
    if (isAction && outcome === null) restart();
  }

  /** Puts the value of an answer where it is shown, unless something else is shown by then. */
  async function read<T>(into: Signal<T>, ask: () => Promise<T>): Promise<void> {
    const asked = turn;
    const value = await ask();
    if (asked === turn) into.value = value;
  }

  /** Reads as many entries as are shown. */
  async function readStored(): Promise<SimStoredPage> {
    const wanted = stored.peek()?.entries.length ?? 1;
    const entries: SimStoredEntry[] = [];
    for (;;) {
      const page = await api.readStorage(prefix.peek(), entries.at(-1)?.key);
      entries.push(...page.entries);
      if (!page.hasMore || entries.length >= wanted) return { entries, hasMore: page.hasMore };
    }
  }

  const readers: Readonly<Record<InspectorTab, () => Promise<void>>> = {
    trace: () => trace.read(),
    commands: async () => {
      await trace.read();
      const known = await api.readCommandFiles().catch(() => []);
      conversations.value = await api.readConversations();
      // A bot that is not run by `virgule dev` has no files.
      files.value = new Map(
        known.flatMap(({ name, file }) =>
          name === undefined || file === undefined ? [] : [[name, file]],
        ),
      );
    },
    faults: () => faults.read(),
    events: () => Promise.resolve(),
    world: () => world.read(),
    tasks: () => read(tasks, () => api.readTasks()),
    storage: () => read(stored, readStored),
  };

  async function refresh(): Promise<void> {
    const shown = tab.peek();
    if (shown !== null) await attempt(readers[shown]);
  }

  async function repeat(): Promise<void> {
    const asked = turn;
    if (isVisible()) await refresh();
    const shown = tab.peek();
    if (asked === turn && shown !== null) timer = setTimer(() => void repeat(), REFRESH_MS[shown]);
  }

  /** Reads again at once, whatever is being read. */
  function restart(): void {
    turn += 1;
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    if (tab.peek() !== null) void repeat();
  }

  const act = (ask: () => Promise<unknown>): void => void attempt(ask, true);

  function show(next: InspectorTab | null): void {
    if (next !== null) {
      last = next;
      settings.setItem(KEY, next);
    }
    tab.value = next;
    error.value = null;
    isOfAction = false;
    restart();
  }

  function explain(group: string): void {
    trace.showGroup(group);
    show('trace');
  }

  return {
    tab,
    trace,
    faults,
    events,
    world,
    files,
    conversations,
    act,
    changeWorld: (kind, id, body) => act(() => api.changePlace(kind, id, body)),
    removeFromWorld: (kind, id) => act(() => api.removePlace(kind, id)),
    explain,
    suggest(group) {
      const isClosed = tab.peek() === null;
      if (isClosed ? isUnwanted || !isRoomy() : tab.peek() !== 'trace') return;
      hasOpenedItself ||= isClosed;
      explain(group);
    },
    tasks,
    stored,
    prefix,
    error,
    show,
    toggle() {
      isUnwanted ||= hasOpenedItself && tab.peek() !== null;
      show(tab.peek() === null ? last : null);
    },
    filter(text) {
      prefix.value = text;
      stored.value = null;
      restart();
    },
    more() {
      const shown = stored.peek();
      if (shown === null) return;
      void attempt(() =>
        read(stored, async () => {
          const after = shown.entries.at(-1)?.key;
          const page = await api.readStorage(prefix.peek(), after);
          return { entries: [...shown.entries, ...page.entries], hasMore: page.hasMore };
        }),
      );
    },
    run({ name, hasPayload }, text) {
      act(async () => {
        const payload = hasPayload ? readJson(text) : undefined;
        await api.changeTask('run', name, payload);
      });
    },
    cancel: ({ id }) => act(() => api.changeTask('cancel', id)),
    retry: ({ id }) => act(() => api.changeTask('retry', id)),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('The payload is not JSON.', 'payload', null);
  }
}
