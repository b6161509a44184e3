import { computed, effect, signal } from '@preact/signals';
import type { Results, SimApi } from '../net/sim-api.js';
import type { TextStorage } from '../state/stored-text.js';
import { asRequestError } from './actions.js';
import type { BrowserPort } from './browser-port.js';
import { createTraceView } from './trace-view.js';
import type { RequestError } from '../net/request-error.js';

export const TABS = ['trace', 'commands', 'events', 'tasks', 'storage', 'world', 'faults'] as const;
export type InspectorTab = (typeof TABS)[number];

/** Time between two reads of an open tab, in milliseconds. */
const REFRESH_MS: Partial<Record<InspectorTab, number>> = {
  trace: 400,
  commands: 1_000,
  faults: 1_000,
};
const REFRESH_OTHERS_MS = 2_000;
const KEY = 'virgule.inspector';
/** Time before a deletion, in which the user can undo it. */
const UNDO_MS = 10_000;

/** A deletion that happens after some time: an action of the control API with its input, in words. */
export interface Removal {
  readonly what: string;
  readonly name: string;
  readonly input: object;
}

export interface InspectorWorld extends Omit<BrowserPort, 'nextFrame' | 'elapsedMs'> {
  readonly api: Pick<SimApi, 'read' | 'ask' | 'act'>;
  readonly settings: TextStorage;
}

/** State of the bot and of the world that the tabs have read. */
type Shown = Pick<Results['commands'], 'messages'> &
  Results['tasks'] &
  Results['clock'] &
  Results['state'] & {
    /** The file of each command, by name. */
    readonly files: ReadonlyMap<string, string>;
    /** Names of the saved conversations, and of the snapshots of the world. */
    readonly conversations: readonly string[];
    readonly snapshots: readonly string[];
    readonly stored: Results['storage'];
    readonly faults: Results['faults'];
  };

/** Creates the inspector. An open tab is read repeatedly. */
export function createInspector(context: InspectorWorld) {
  const { api, settings, isVisible, isRoomy, setTimer, clearTimer } = context;
  /** The open tab; `null` while the inspector is closed. */
  const tab = signal<InspectorTab | null>(null);
  /** Number of commands that failed while the trace was not shown. */
  const newFailures = signal(0);
  const shown = signal<Partial<Shown>>({});
  /** Texts that the shown entries of the storage have, one per line. */
  let search = '';
  /** The deletion that the user can still undo. */
  const removal = signal<Removal | null>(null);
  const readError = signal<RequestError | null>(null);
  /** Error of the last action. */
  const actionError = signal<RequestError | null>(null);
  const trace = createTraceView(api);
  const saved = settings.getItem(KEY);
  let last: InspectorTab = TABS.find((each) => each === saved) ?? 'trace';
  let timer: number | undefined;
  let hasOpenedItself = false;
  /** `true` if the user closed the inspector after it had opened by itself. */
  let isUnwanted = false;
  /** Number of the current choice of tab and search; a response to an earlier choice is ignored. */
  let turn = 0;

  /** Reads a tab. A response to an earlier choice of tab and search changes nothing. */
  async function read(open: InspectorTab): Promise<void> {
    const asked = turn;
    let error: RequestError | null = null;
    const values = await readers[open]().catch((thrown: unknown) => {
      error = asRequestError(thrown);
    });
    if (asked !== turn) return;
    shown.value = { ...shown.peek(), ...values };
    readError.value = error;
  }

  const readers: Readonly<Record<InspectorTab, () => Promise<Partial<Shown> | void>>> = {
    trace: () => trace.read(),
    async commands() {
      await trace.read();
      const { commands, messages } = await api
        .read('commands')
        .catch(() => ({ commands: [], messages: [] }));
      const { names: conversations } = await api.ask('conversation');
      // A bot outside `virgule dev` has no files.
      const files = commands.flatMap(({ name, file }) =>
        name === undefined || file === undefined ? [] : [[name, file] as const],
      );
      return { conversations, messages, files: new Map(files) };
    },
    faults: async () => ({ faults: await api.ask('faults') }),
    events: () => Promise.resolve(),
    world: async () => ({
      snapshots: (await api.ask('snapshot')).names,
      ...(await api.ask('clock')),
      ...(await api.read('state')),
    }),
    tasks: async () => ({ ...(await api.read('tasks')), ...(await api.ask('clock')) }),
    storage: async () => ({ stored: await api.read('storage', { search }) }),
  };

  async function repeat(): Promise<void> {
    const asked = turn;
    const open = tab.peek();
    if (open === null) return;
    if (isVisible()) await read(open);
    if (asked === turn)
      timer = setTimer(() => void repeat(), REFRESH_MS[open] ?? REFRESH_OTHERS_MS);
  }

  /** Reads at once; a read in flight is ignored. */
  function restart(): void {
    turn += 1;
    if (timer !== undefined) clearTimer(timer);
    timer = undefined;
    void repeat();
  }

  /** Carries out an action, and shows its error. */
  function act(ask: () => Promise<void>): void {
    actionError.value = null;
    ask().then(restart, (thrown: unknown) => (actionError.value = asRequestError(thrown)));
  }

  function show(next: InspectorTab | null): void {
    if (next !== null) {
      last = next;
      settings.setItem(KEY, next);
    }
    tab.value = next;
    if (next === 'trace') newFailures.value = 0;
    readError.value = null;
    actionError.value = null;
    restart();
  }

  function removeNow(): void {
    const { name, input } = removal.peek() ?? {};
    removal.value = null;
    if (name !== undefined) act(() => api.act(name, input));
  }
  effect(() => {
    if (removal.value === null) return undefined;
    const waiting = setTimer(removeNow, UNDO_MS);
    return () => clearTimer(waiting);
  });

  /** Shows the trace of an interaction or message. */
  function explain(group: string): void {
    trace.showGroup(group);
    show('trace');
  }

  return {
    tab,
    newFailures,
    trace,
    shown,
    /** Reads what a view shows, also while the view is not open. */
    read,
    /** Number of rules for faults. */
    faultCount: computed(() => shown.value.faults?.rules.length ?? 0),
    act,
    /** Carries out an action of the control API, and shows its error, or that of a function that returns its input. */
    send: (name: string, input: object | (() => object) = {}) =>
      act(async () => api.act(name, typeof input === 'function' ? input() : input)),
    explain,
    /** Shows the trace of a failed interaction, unless it would cover the chat or another tab, or was closed before. */
    suggest(group: string) {
      if (tab.peek() !== 'trace') newFailures.value += 1;
      const isClosed = tab.peek() === null;
      if (isClosed ? isUnwanted || !isRoomy() : tab.peek() !== 'trace') return;
      hasOpenedItself ||= isClosed;
      explain(group);
    },
    removal,
    removeNow,
    /** Deletes parts of the world after some time; an earlier deletion happens now. */
    remove(next: Removal) {
      removeNow();
      removal.value = next;
    },
    /** Error of the last action; without one, of the last read. */
    error: computed(() => actionError.value ?? readError.value),
    show,
    /** Opens the last open tab, or closes the inspector. */
    toggle() {
      isUnwanted ||= hasOpenedItself && tab.peek() !== null;
      show(tab.peek() === null ? last : null);
    },
    /** Shows the entries of the storage with a text, or with an id of an item whose name has the text. */
    search(text: string) {
      search = text;
      shown.value = { ...shown.peek(), stored: undefined };
      restart();
    },
  };
}
