import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SimTraceRow } from '@virgule/core/simulator-api';
import { countOf } from '@virgule/core/text';
import type { TraceLine } from '../state/trace-groups.js';
import { shortDuration, shortTitle } from '../state/trace-text.js';
import { inspector, store } from '../app/page.js';
import { FILTER_FIELDS } from '../state/trace-filter.js';
import { TraceDetail } from './trace-detail.js';
import { IconButton, SearchField } from './controls.js';

/** Number of lines that are drawn above and below the visible lines. */
const SPARE_LINES = 8;

const FROM: Readonly<Record<SimTraceRow['from'], readonly [arrow: string, name: string]>> = {
  bot: ['▲', 'from the bot'],
  platform: ['▼', 'from the platform'],
  user: ['●', 'from a user'],
};

interface RowProps {
  readonly row: SimTraceRow;
  readonly group: TraceLine['group'];
  readonly namesBot: boolean;
}

function Row({ row, group, namesBot }: RowProps) {
  const [arrow, from] = row.kind === 'log' ? ['≡', 'log'] : FROM[row.from];
  return (
    <>
      {row.group !== null && (
        <span class="trace-at">+{shortDuration(row.atMs - group.startMs)}</span>
      )}
      <span class={`trace-from trace-from-${row.kind === 'log' ? 'log' : row.from}`}>
        <span aria-hidden="true">{arrow}</span>
        <span class="visually-hidden">{from}: </span>
      </span>
      <span class="trace-what" title={row.what}>
        <bdi>{shortTitle(row.what)}</bdi>
      </span>
      {namesBot && row.bot !== undefined && <span class="trace-took">{row.bot}</span>}
      {row.tookMs !== undefined && <span class="trace-took">{shortDuration(row.tookMs)}</span>}
      {row.status !== undefined && <span class="trace-status">{row.status}</span>}
    </>
  );
}

function Head({ group, isOpen }: { readonly group: TraceLine['group']; readonly isOpen: boolean }) {
  return (
    <>
      <span class="trace-fold" aria-hidden="true">
        {isOpen ? '▾' : '▸'}
      </span>
      <span class="trace-what" title={group.title}>
        <bdi>{group.title}</bdi>
      </span>
      {group.isError && <span class="trace-status">error</span>}
      <span class="trace-took">{shortDuration(group.tookMs)}</span>
      <span class="trace-count">{countOf(group.rows.length, 'row')}</span>
    </>
  );
}

/** Returns the height of a line in CSS pixels. Touch input needs higher lines. */
const heightOfLine = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--control'));

/** Keeps the scroll position when lines are added above it. */
function useAnchor(
  lines: readonly TraceLine[],
  lineHeight: number,
  list: { readonly current: HTMLElement | null },
) {
  const top = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const first = Math.floor(element.scrollTop / lineHeight);
    const wasAt = top.current;
    if (element.scrollTop > 0 && wasAt !== undefined && lines[first]?.key !== wasAt) {
      const isAt = lines.findIndex(({ key }) => key === wasAt);
      if (isAt > first) element.scrollTop += (isAt - first) * lineHeight;
    }
  }, [lines]);
  return (scrollTop: number) => {
    top.current = lines[Math.floor(scrollTop / lineHeight)]?.key;
  };
}

/** Lists the lines of the trace. Only visible lines are drawn. */
function TraceList() {
  const { trace } = inspector;
  // Computed, so that changes of the world do not render the list.
  const namesBot = useComputed(() => store.world.value.bots.length > 1).value;
  const lines = trace.lines.value;
  const selected = trace.selected.value;
  const list = useRef<HTMLDivElement>(null);
  const scrolled = useSignal(0);
  const lineHeight = heightOfLine();
  const noteTop = useAnchor(lines, lineHeight, list);

  const reveal = (index: number) => {
    const element = list.current;
    if (element === null || index === -1) return;
    const top = index * lineHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    const bottom = top + lineHeight - element.clientHeight;
    if (bottom > element.scrollTop) element.scrollTop = bottom;
  };
  // Selections also come from other parts of the page, such as the chat.
  useLayoutEffect(
    () => reveal(lines.findIndex((line) => line.key === selected?.key)),
    [selected?.key],
  );

  const move = (by: number) => {
    const at = lines.findIndex(({ key }) => key === selected?.key);
    const to = Math.min(Math.max(at + by, 0), lines.length - 1);
    trace.select(lines[to]?.key ?? null);
  };
  const fold = (isOpen: boolean) => {
    if (selected === null) return;
    if (selected.row === null) trace.setOpen(selected.group, isOpen);
    else if (!isOpen && selected.row.group !== null) trace.select(selected.group.key);
  };
  const linesOfPage = () =>
    Math.max(1, Math.floor((list.current?.clientHeight ?? 0) / lineHeight) - 1);
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(linesOfPage()),
    PageUp: () => move(-linesOfPage()),
    Home: () => move(-lines.length),
    End: () => move(lines.length),
    ArrowRight: () => fold(true),
    ArrowLeft: () => fold(false),
  };

  const from = Math.max(0, Math.floor(scrolled.value / lineHeight) - SPARE_LINES);
  // The list is not higher than the screen, whatever the size of the window.
  const to = Math.ceil((scrolled.value + screen.height) / lineHeight) + SPARE_LINES;
  return (
    <div
      ref={list}
      class="trace-list"
      role={lines.length === 0 ? undefined : 'tree'}
      aria-label="Trace"
      tabIndex={0}
      aria-activedescendant={selected === null ? undefined : `trace-${selected.key}`}
      onScroll={(event) => {
        scrolled.value = event.currentTarget.scrollTop;
        noteTop(event.currentTarget.scrollTop);
      }}
      onKeyDown={(event) => {
        const press = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (press === undefined) return;
        event.preventDefault();
        press();
      }}
    >
      {lines.length === 0 && (
        <p class="empty">
          {trace.query.value === '' ? 'Nothing has happened yet.' : 'Nothing matches.'}
        </p>
      )}
      <div
        role="presentation"
        class="trace-space"
        style={{ height: `${lines.length * lineHeight}px` }}
      >
        {lines.slice(from, to).map((line, index) => {
          const { key, group, row } = line;
          const isOpen = row === null ? trace.isOpen(group) : undefined;
          const isError = row === null ? group.isError : row.isError;
          const isInGroup = row !== null && row.group !== null;
          return (
            <div
              key={key}
              id={`trace-${key}`}
              role="treeitem"
              class={`trace-line${isError ? ' trace-error' : ''}${isInGroup ? ' trace-inner' : ''}`}
              style={{ top: `${(from + index) * lineHeight}px` }}
              aria-level={isInGroup ? 2 : 1}
              aria-expanded={isOpen}
              aria-selected={key === selected?.key}
              aria-setsize={lines.length}
              aria-posinset={from + index + 1}
              onClick={() => {
                if (isOpen !== undefined) trace.setOpen(group, !isOpen);
                trace.select(key);
              }}
            >
              {row === null ? (
                <Head group={group} isOpen={isOpen ?? false} />
              ) : (
                <Row row={row} group={group} namesBot={namesBot} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Filter() {
  return (
    <div class="view-bar">
      <SearchField
        id="trace-filter"
        label="Filter"
        aria-describedby="trace-fields"
        placeholder="roll status:>=400 took:>100 -typing"
        text={inspector.trace.query}
        spellcheck={false}
      />
      <p id="trace-fields" class="visually-hidden">
        Words, and fields with a colon: {FILTER_FIELDS.join(', ')}. A minus excludes.
      </p>
    </div>
  );
}

/** Returns the number of lines, or of rows that wait for the end of the pause. */
export function traceNote(): string {
  const held = inspector.trace.held.value;
  if (held !== null) return `paused, ${held} new`;
  return `${countOf(inspector.trace.lines.value.length, 'row')}, live`;
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
      <a class="text-button" href="/_sim/export" download>
        JSON<span class="visually-hidden"> file of the trace</span>
      </a>
      <a class="text-button" href="/_sim/export?format=har" download>
        HAR<span class="visually-hidden"> file of the requests</span>
      </a>
    </>
  );
}

/** Shows every request, frame, and log entry of the bot, grouped by interaction or message. */
export function TraceTab() {
  return (
    <>
      <Filter />
      <TraceList />
      <TraceDetail />
    </>
  );
}
