import { signal, type Signal } from '@preact/signals';
import type {
  EventScene,
  SimStoredEntry,
  SimStoredPage,
  SimTask,
} from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import type { TextStorage } from '../state/stored-text.js';
import { asRequestError } from './actions.js';
import { createEventsView } from './events-view.js';
import { createFaultsView } from './faults-view.js';
import { createTraceView } from './trace-view.js';
import { readJson, type RequestError } from '../net/request-error.js';

export const TABS = ['trace', 'commands', 'faults', 'events', 'world', 'tasks', 'storage'] as const;
export type InspectorTab = (typeof TABS)[number];

/** How often an open tab is read again, in milliseconds. */
const REFRESH_MS: Partial<Record<InspectorTab, number>> = {
  trace: 400,
  commands: 1_000,
  faults: 1_000,
};
const REFRESH_OTHERS_MS = 2_000;
const KEY = 'virgule.inspector';

export interface InspectorWorld {
  readonly api: Pick<SimApi, 'read' | 'ask' | 'act'>;
  /** What events that are written by hand refer to. */
  readonly scene: () => EventScene;
  readonly settings: TextStorage;
  readonly isVisible: () => boolean;
  /** Whether the inspector fits next to the chat. */
  readonly isRoomy: () => boolean;
  readonly setTimer: (callback: () => void, delayMs: number) => number;
  readonly clearTimer: (timer: number) => void;
}

/**
 * Creates what shows what happened, faults, and what the bot itself keeps: its tasks and its storage. They are read again
 * while they are shown.
 */
export function createInspector(context: InspectorWorld) {
  const { api, scene, settings, isVisible, isRoomy, setTimer, clearTimer } = context;
  /** The open tab; `null` while the inspector is closed. */
  const tab = signal<InspectorTab | null>(null);
  /** The file of each command, by name. */
  const files = signal<ReadonlyMap<string, string>>(new Map());
  /** Names of the snapshots of the world. */
  const snapshots = signal<readonly string[]>([]);
  /** Names of the saved conversations. */
  const conversations = signal<readonly string[]>([]);
  /** `null` until they were read, as `stored`. */
  const tasks = signal<readonly SimTask[] | null>(null);
  const stored = signal<SimStoredPage | null>(null);
  const prefix = signal('');
  /** Why the last request failed. */
  const error = signal<RequestError | null>(null);
  const trace = createTraceView(api);
  const faults = createFaultsView(api);
  const events = createEventsView(api, scene);
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

  /** Number of entries of the storage that are shown at least. */
  let wanted = 1;
  async function readStored(): Promise<SimStoredPage> {
    const entries: SimStoredEntry[] = [];
    for (;;) {
      const after = entries.at(-1)?.key;
      const page = await api.read('storage', { prefix: prefix.peek(), after });
      entries.push(...page.entries);
      if (!page.hasMore || entries.length >= wanted) return { entries, hasMore: page.hasMore };
    }
  }

  const readers: Readonly<Record<InspectorTab, () => Promise<unknown>>> = {
    trace: () => trace.read(),
    commands: async () => {
      await trace.read();
      const { commands } = await api.read('commands').catch(() => ({ commands: [] }));
      conversations.value = (await api.ask('conversation')).names;
      // A bot that is not run by `virgule dev` has no files.
      files.value = new Map(
        commands.flatMap(({ name, file }) =>
          name === undefined || file === undefined ? [] : [[name, file]],
        ),
      );
    },
    faults: () => faults.read(),
    events: () => Promise.resolve(),
    world: async () => (snapshots.value = (await api.ask('snapshot')).names),
    tasks: () => read(tasks, async () => (await api.read('tasks')).tasks),
    storage: () => read(stored, readStored),
  };

  async function repeat(): Promise<void> {
    const asked = turn;
    const shown = tab.peek();
    if (shown === null) return;
    if (isVisible()) await attempt(readers[shown]);
    if (asked === turn)
      timer = setTimer(() => void repeat(), REFRESH_MS[shown] ?? REFRESH_OTHERS_MS);
  }

  /** Reads again at once, whatever is being read. */
  function restart(): void {
    turn += 1;
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    void repeat();
  }

  /** Does something, and shows why it failed. */
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

  /** Shows what happened around an interaction or message. */
  function explain(group: string): void {
    trace.showGroup(group);
    show('trace');
  }

  return {
    tab,
    trace,
    faults,
    events,
    snapshots,
    files,
    conversations,
    act,
    /** Carries out an action of the control API, and shows why it failed. */
    send: (name: string, input?: object) => act(() => api.act(name, input)),
    explain,
    /**
     * Does so for something that went wrong, unless the inspector would cover the chat, shows another tab, or was closed
     * after it had opened by itself.
     */
    suggest(group: string) {
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
    /** Opens the tab that was open last, or closes it. */
    toggle() {
      isUnwanted ||= hasOpenedItself && tab.peek() !== null;
      show(tab.peek() === null ? last : null);
    },
    filter(text: string) {
      prefix.value = text;
      stored.value = null;
      wanted = 1;
      restart();
    },
    /** Reads the next entries, too. */
    more() {
      wanted = (stored.peek()?.entries.length ?? 0) + 1;
      restart();
    },
    /** Runs a task now. `text` is its payload as JSON; empty for none. */
    run({ name, hasPayload }: SimTask, text: string) {
      act(async () => {
        const payload = hasPayload ? readJson(text, 'The payload is not JSON.') : undefined;
        await api.act('task', { action: 'run', name, payload });
      });
    },
  };
}
