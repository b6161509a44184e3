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

/** Time between two reads of an open tab, in milliseconds. */
const REFRESH_MS: Partial<Record<InspectorTab, number>> = {
  trace: 400,
  commands: 1_000,
  faults: 1_000,
};
const REFRESH_OTHERS_MS = 2_000;
const KEY = 'virgule.inspector';

export interface InspectorWorld {
  readonly api: Pick<SimApi, 'read' | 'ask' | 'act'>;
  /** Returns the ids and names for the payloads of events. */
  readonly scene: () => EventScene;
  readonly settings: TextStorage;
  readonly isVisible: () => boolean;
  /** Returns whether the inspector fits next to the chat. */
  readonly isRoomy: () => boolean;
  readonly setTimer: (callback: () => void, delayMs: number) => number;
  readonly clearTimer: (timer: number) => void;
}

/**
 * Creates the inspector, which shows the trace, faults, and the tasks and storage of the bot. An open tab is read
 * repeatedly.
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
  /** `null` until the tasks were read; `stored` likewise. */
  const tasks = signal<readonly SimTask[] | null>(null);
  const stored = signal<SimStoredPage | null>(null);
  const prefix = signal('');
  /** Error of the last request. */
  const error = signal<RequestError | null>(null);
  const trace = createTraceView(api);
  const faults = createFaultsView(api);
  const events = createEventsView(api, scene);
  const saved = settings.getItem(KEY);
  let last: InspectorTab = TABS.find((each) => each === saved) ?? 'trace';
  let timer: number | undefined;
  let hasOpenedItself = false;
  /** `true` if the user closed the inspector after it had opened by itself. */
  let isUnwanted = false;
  /** Number of the current choice of tab and prefix; a response to an earlier choice is ignored. */
  let turn = 0;

  /** `true` for an error of an action, which stays until the next action; a read does not replace this error. */
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

  /** Puts the value of a response into a signal, unless another tab or prefix was chosen in between. */
  async function read<T>(into: Signal<T>, ask: () => Promise<T>): Promise<void> {
    const asked = turn;
    const value = await ask();
    if (asked === turn) into.value = value;
  }

  /** Minimum number of shown entries of the storage. */
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
      // A bot outside `virgule dev` has no files.
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

  /** Reads at once; a read in flight is ignored. */
  function restart(): void {
    turn += 1;
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    void repeat();
  }

  /** Carries out an action, and shows its error. */
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

  /** Shows the trace of an interaction or message. */
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
    /** Carries out an action of the control API, and shows its error. */
    send: (name: string, input?: object) => act(() => api.act(name, input)),
    explain,
    /**
     * Shows the trace of a failed interaction, unless the inspector would cover the chat, shows another tab, or was
     * closed after it had opened by itself.
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
    /** Opens the last open tab, or closes the inspector. */
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
    /** Reads the next entries too. */
    more() {
      wanted = (stored.peek()?.entries.length ?? 0) + 1;
      restart();
    },
    /** Runs a task now. `text` is its payload as JSON; empty for no payload. */
    run({ name, hasPayload }: SimTask, text: string) {
      act(async () => {
        const payload = hasPayload ? readJson(text, 'The payload is not JSON.') : undefined;
        await api.act('task', { action: 'run', name, payload });
      });
    },
  };
}
