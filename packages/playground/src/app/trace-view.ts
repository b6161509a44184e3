import { computed, effect, signal } from '@preact/signals';
import type { SimTraceDetail, SimTraceRow } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import { readFilter } from '../state/trace-filter.js';
import { commandRuns } from '../state/trace-stats.js';
import { groupRows, linesOf, type TraceGroup, type TraceKind } from '../state/trace-groups.js';
import { barsOf } from '../state/trace-text.js';

/** Maximum number of rows on the page, as in the simulator. */
const MAX_ROWS = 50_000;

const isOfKind = ({ kind, outcome }: TraceGroup, wanted: TraceKind | 'failed'): boolean =>
  wanted === 'failed' ? outcome.tone === 'err' : kind === wanted;

/** Returns what each part of a group shows: the details of a row, the file of a command, or an earlier run. */
function partsOf(group: TraceGroup, groups: readonly TraceGroup[]) {
  const { key, command, rows } = group;
  const logs = rows.filter((row) => row.kind === 'log');
  const bars = barsOf(group);
  const earlier = groups.slice(groups.findIndex((each) => each.key === key) + 1);
  return {
    error: logs.find(({ isError }) => isError)?.id,
    timeline: bars.length > 0 ? bars : undefined,
    payload: rows.find((row) => row.kind === 'frame' && row.from === 'platform')?.id,
    response: rows.findLast((row) => row.kind === 'request' && row.from === 'bot')?.id,
    logs: logs.length > 0 ? logs : undefined,
    source: command?.name,
    diff: command && earlier.find((each) => each.command?.key === command.key),
  };
}

type ShownDetail = Pick<SimTraceDetail, 'sections'> & Partial<SimTraceDetail>;

type TracePart = keyof ReturnType<typeof partsOf>;

/** Creates the list of all traced requests, frames and log entries; one line is selected. */
export function createTraceView(api: Pick<SimApi, 'read'>) {
  const rows = signal<readonly SimTraceRow[]>([]);
  /** The shown rows of a paused list; `null` if the list is not paused. */
  const paused = signal<readonly SimTraceRow[] | null>(null);
  const query = signal('');
  /** Kind of the shown groups; `null` for all. */
  const kind = signal<TraceKind | 'failed' | null>(null);
  const open = signal<ReadonlySet<string>>(new Set());
  /** The part of the selected group whose detail is shown. */
  const part = signal<TracePart>('error');
  const selectedKey = signal<string | null>(null);
  const hasRead = signal(false);
  /** Bodies and headers of the selected row, or of the first error of a group; `null` until they are read. */
  const detail = signal<ShownDetail | null>(null);
  let lastId = 0;
  /** The read in flight; a second one would read the same rows. */
  let reading: Promise<void> | undefined;

  const groups = computed(() => groupRows(paused.value ?? rows.value));
  const shownGroups = computed(() =>
    groups.value.filter((group) => kind.value === null || isOfKind(group, kind.value)),
  );
  const lines = computed(() =>
    linesOf(shownGroups.value, readFilter(query.value), ({ key }) => open.value.has(key)),
  );
  const selected = computed(() => lines.value.find(({ key }) => key === selectedKey.value) ?? null);
  /** Number of rows that arrived during a pause; `null` if the list is not paused. */
  const held = computed(() => {
    if (paused.value === null) return null;
    const shown = paused.value.at(-1)?.id ?? 0;
    return rows.value.filter(({ id }) => id > shown).length;
  });

  function setOpen({ key }: Pick<TraceGroup, 'key'>, isOpen: boolean): void {
    const keys = new Set(open.peek());
    if (isOpen) keys.add(key);
    else keys.delete(key);
    open.value = keys;
  }

  const parts = computed((): Partial<ReturnType<typeof partsOf>> => {
    const { row = null, group } = selected.value ?? {};
    return row === null && group ? partsOf(group, groups.value) : {};
  });
  /** Names of the parts that the selected group has, in their order. */
  const partNames = computed(() =>
    // The object has no other keys.
    (Object.keys(parts.value) as TracePart[]).filter((name) => parts.value[name] !== undefined),
  );
  const shownPart = computed(() =>
    parts.value[part.value] === undefined ? (partNames.value[0] ?? 'timeline') : part.value,
  );
  /** Id of the row or name of the command whose details are shown. */
  const shownId = computed(() => selected.value?.row?.id ?? parts.value[shownPart.value]);
  effect(() => {
    const id = shownId.value;
    detail.value = null;
    // A dropped row, and a command of another bot, have no details.
    void readDetail(id)
      .catch(() => undefined)
      .then((read) => {
        if (read && shownId.peek() === id) detail.value = read;
      });
  });
  async function readDetail(id: unknown): Promise<ShownDetail | undefined> {
    if (typeof id === 'number') return api.read('detail', { row: id });
    if (typeof id !== 'string') return undefined;
    const { file, text } = await api.read('source', { command: id });
    return { sections: [{ title: file, text, length: text.length }] };
  }

  /** Selects a line by its key, or nothing. */
  const select = (key: string | null): void => {
    selectedKey.value = key;
    part.value = 'error';
  };

  async function readAll(): Promise<void> {
    for (;;) {
      const page = await api.read('trace', { after: lastId });
      if (page.lastId < lastId) {
        // The simulator was restarted.
        lastId = 0;
        clear();
        continue;
      }
      lastId = page.rows.at(-1)?.id ?? lastId;
      if (page.rows.length > 0) rows.value = [...rows.peek(), ...page.rows].slice(-MAX_ROWS);
      if (page.hasMore) continue;
      hasRead.value = true;
      return;
    }
  }

  function unfilter(): void {
    query.value = '';
    kind.value = null;
  }

  /** Hides all earlier rows. */
  function clear(): void {
    paused.value = null;
    rows.value = [];
    select(null);
  }

  return {
    query,
    kind,
    count: (of: TraceKind | 'failed') => groups.value.filter((group) => isOfKind(group, of)).length,
    lines,
    part,
    parts,
    partNames,
    shownPart,
    held,
    selected,
    detail,
    /** Runs of each command, by its key. */
    commandRuns: computed(() => commandRuns(groupRows(rows.value))),
    /** `true` if the trace no longer has the selected group. */
    isMissing: computed(() => {
      const key = selectedKey.value ?? 'row-';
      const isRow = key.startsWith('row-');
      return hasRead.value && !isRow && !groups.value.some((group) => group.key === key);
    }),
    isOpen: ({ key }: TraceGroup) => open.value.has(key),
    setOpen,
    select,
    isFiltered: computed(() => query.value !== '' || kind.value !== null),
    unfilter,
    /** Shows one interaction or message; clears the filter and the selection. */
    showGroup(key: string) {
      unfilter();
      paused.value = null;
      setOpen({ key }, true);
      select(key);
    },
    togglePause: () => void (paused.value = paused.peek() === null ? rows.peek() : null),
    clear,
    /** Reads the rows since the last read. */
    read: () => (reading ??= readAll().finally(() => (reading = undefined))),
  };
}
