import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { countOf } from '@virgule/core/text';
import { TRACE_KINDS, type TraceLine } from '../state/trace-groups.js';
import { inspector, store } from '../app/page.js';
import { FILTER_FIELDS } from '../state/trace-filter.js';
import { TraceDetail } from './trace-detail.js';
import { Legend, Row } from './trace-row.js';
import { Button, Empty, Icon, IconButton, SearchField } from './controls.js';

/** Number of lines that are drawn above and below the visible lines. */
const SPARE_LINES = 8;

/** Returns a height of the style sheet in CSS pixels. Touch input needs higher lines. */
const heightOf = (name: '--row' | '--call'): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name));

/** Lists the lines of the trace. Only visible lines are drawn. */
function TraceList({ selected }: { readonly selected: TraceLine | null }) {
  const { trace } = inspector;
  // Computed, so that changes of the world do not render the list.
  const namesBot = useComputed(() => store.world.value.bots.length > 1).value;
  const lines = trace.lines.value;
  const list = useRef<HTMLDivElement>(null);
  const scrolled = useSignal(0);
  const anchor = useRef({ key: '', offset: 0 });
  const [rowHeight, callHeight] = [heightOf('--row'), heightOf('--call')];
  /** Distance of each line from the top of the list, and the height of the list. */
  const tops = useMemo(() => {
    const sums = [0];
    for (const { row, group } of lines)
      sums.push((sums.at(-1) ?? 0) + (row && group.rows.length > 1 ? callHeight : rowHeight));
    return sums;
  }, [lines, rowHeight]);
  const topOf = (at: number) => tops[at] ?? 0;
  // The first line starts at 0; a bounce of the scroll position is above it.
  const lineAt = (y: number) => tops.findLastIndex((top) => top <= Math.max(0, y));

  // Selections also come from other parts of the page, such as the chat.
  useLayoutEffect(() => {
    const element = list.current;
    const at = lines.findIndex((line) => line.key === selected?.key);
    if (element === null || at === -1) return;
    const lowest = topOf(at + 1) - element.clientHeight;
    element.scrollTop = Math.max(lowest, Math.min(element.scrollTop, topOf(at)));
  }, [selected?.key]);
  // Keeps the scroll position when lines are added above it.
  useLayoutEffect(() => {
    const element = list.current;
    const at = lines.findIndex(({ key }) => key === anchor.current.key);
    if (element === null || at === -1 || element.scrollTop === 0) return;
    element.scrollTop = topOf(at) + anchor.current.offset;
  }, [lines]);

  const move = (by: number) => {
    const at = lines.findIndex(({ key }) => key === selected?.key);
    const to = Math.min(Math.max(at + by, 0), lines.length - 1);
    trace.select(lines[to]?.key ?? null);
  };
  const fold = (isOpen: boolean) => {
    if (selected === null) return;
    if (selected.row === null) trace.setOpen(selected.group, isOpen);
    else if (!isOpen && selected.group.rows.length > 1) trace.select(selected.group.key);
  };
  const linesOfPage = () =>
    Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / rowHeight) - 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    PageDown: () => move(linesOfPage()),
    PageUp: () => move(-linesOfPage()),
    Home: () => move(-lines.length),
    End: () => move(lines.length),
    Enter: () => document.querySelector<HTMLElement>('.trace-detail')?.focus(),
    ArrowRight: () => fold(true),
    ArrowLeft: () => fold(false),
  };

  const from = Math.max(0, lineAt(scrolled.value) - SPARE_LINES);
  // The list is not higher than the screen, whatever the size of the window.
  const to = lineAt(scrolled.value + screen.height) + SPARE_LINES;
  return (
    <div
      ref={list}
      class="trace-list"
      role={lines.length === 0 ? undefined : 'tree'}
      aria-label="Trace"
      tabIndex={0}
      aria-activedescendant={selected === null ? undefined : `trace-${selected.key}`}
      onScroll={({ currentTarget: { scrollTop } }) => {
        scrolled.value = scrollTop;
        const at = lineAt(scrollTop);
        anchor.current = { key: lines[at]?.key ?? '', offset: scrollTop - topOf(at) };
      }}
      onKeyDown={(event) => {
        const press = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (press === undefined) return;
        event.preventDefault();
        press();
      }}
    >
      {lines.length === 0 &&
        (trace.isFiltered.value ? (
          <Empty icon="search" title="Nothing matches">
            <Button onClick={() => trace.unfilter()}>Clear the filter</Button>
          </Empty>
        ) : (
          <Empty icon="trace" title="Nothing has happened yet">
            Each command, event, task run and save appears here as one row.
          </Empty>
        ))}
      <div role="presentation" class="trace-space" style={{ height: `${tops.at(-1)}px` }}>
        {lines.slice(from, to).map((line, index) => {
          const { key, group, row } = line;
          const isOpen = row === null ? trace.isOpen(group) : undefined;
          const isCall = row !== null && group.rows.length > 1;
          const isError = isCall ? row.isError : group.outcome.tone === 'err';
          return (
            <div
              key={key}
              id={`trace-${key}`}
              role="treeitem"
              class={`trace-line${isError ? ' trace-error' : ''}${isCall ? ' trace-call' : ''}`}
              style={{ top: `${topOf(from + index)}px` }}
              aria-level={isCall ? 2 : 1}
              aria-expanded={isOpen}
              aria-selected={key === selected?.key}
              aria-setsize={lines.length}
              aria-posinset={from + index + 1}
              onClick={() => {
                if (isOpen !== undefined) trace.setOpen(group, !isOpen);
                trace.select(key);
              }}
            >
              <Row line={line} namesBot={namesBot} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Returns the number of lines, or of rows that wait for the end of the pause. */
export function traceNote(): string {
  const { held, lines } = inspector.trace;
  if (held.value !== null) return `paused, ${held.value} new`;
  return `${countOf(lines.value.length, 'row')}, live`;
}

/** Shows the buttons of the trace, for the head of the inspector. */
export function TraceTools() {
  const { trace } = inspector;
  const isPaused = trace.held.value !== null;
  return (
    <>
      <IconButton
        icon={isPaused ? 'play' : 'pause'}
        label={isPaused ? 'Continue' : 'Pause'}
        onClick={() => trace.togglePause()}
      />
      <IconButton icon="clear" label="Clear" onClick={() => trace.clear()} />
      <a
        class="icon-button"
        href="/_sim/export"
        download
        title="Save as JSON"
        aria-label="Save as JSON"
      >
        <Icon name="download" />
      </a>
    </>
  );
}

/** Shows every request, frame, and log entry of the bot, grouped by command, event, task and save. */
export function TraceTab() {
  const { query, kind, count, selected } = inspector.trace;
  return (
    <>
      <div class="view-bar">
        <SearchField
          id="trace-filter"
          label="Filter"
          aria-describedby="trace-fields"
          placeholder="roll status:>=400 took:>100 -typing"
          text={query}
        />
        <p id="trace-fields" class="visually-hidden">
          Words, and fields with a colon: {FILTER_FIELDS.join(', ')}. A minus excludes.
        </p>
      </div>
      <div class="kinds" role="group" aria-label="Kinds">
        {([null, 'failed', ...TRACE_KINDS] as const).map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={kind.value === each}
            onClick={() => (kind.value = each)}
          >
            <span class="view-name">{each ?? 'all'}</span>
            {each !== null && <span class="note">{count(each)}</span>}
          </button>
        ))}
      </div>
      <TraceList selected={selected.value} />
      <Legend />
      <TraceDetail selected={selected.value} />
    </>
  );
}
