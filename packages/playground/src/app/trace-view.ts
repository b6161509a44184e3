import { computed, effect, signal } from '@preact/signals';
import type { SimTraceDetail, SimTraceRow } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import { readFilter } from '../state/trace-filter.js';
import { commandRuns } from '../state/trace-stats.js';
import { groupRows, linesOf, type TraceGroup, type TraceKind } from '../state/trace-groups.js';

/** Maximum number of rows on the page, as in the simulator. */
const MAX_ROWS = 50_000;

/** Parts of the detail of a group. */
export const TRACE_PARTS = ['error', 'timeline', 'payload', 'response'] as const;
export type TracePart = (typeof TRACE_PARTS)[number];

const isOfKind = ({ kind, outcome }: TraceGroup, wanted: TraceKind | 'failed'): boolean =>
  wanted === 'failed' ? outcome.tone === 'err' : kind === wanted;

/** Returns the rows with the details of a group, by part. */
function partsOf({ rows }: TraceGroup): Partial<Record<TracePart, number | undefined>> {
  return {
    error: rows.find(({ kind, isError }) => kind === 'log' && isError)?.id,
    payload: rows.find(({ kind, from }) => kind === 'frame' && from === 'platform')?.id,
    response: rows.findLast(({ kind, from }) => kind === 'request' && from === 'bot')?.id,
  };
}

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
  const detail = signal<SimTraceDetail | null>(null);
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

  const parts = computed(() => {
    const { row = null, group } = selected.value ?? {};
    return row === null && group ? partsOf(group) : {};
  });
  const shownPart = computed(() =>
    part.value === 'error' && parts.value.error === undefined ? 'timeline' : part.value,
  );
  const shownId = computed(() => selected.value?.row?.id ?? parts.value[shownPart.value]);
  effect(() => {
    const id = shownId.value;
    detail.value = null;
    if (id === undefined) return;
    // A dropped row has no details.
    void api.read('detail', { row: id }).then(
      (read) => {
        if (shownId.peek() === id) detail.value = read;
      },
      () => {},
    );
  });

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
    /** Shows one interaction or message; clears the filter and the selection. */
    showGroup(key: string) {
      query.value = '';
      kind.value = null;
      paused.value = null;
      setOpen({ key }, true);
      select(key);
    },
    togglePause() {
      paused.value = paused.peek() === null ? rows.peek() : null;
    },
    clear,
    /** Reads the rows since the last read. */
    read: () => (reading ??= readAll().finally(() => (reading = undefined))),
  };
}
