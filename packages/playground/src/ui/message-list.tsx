import { useSignal } from '@preact/signals';
import type { SimChannel } from '@virgule/core/simulator-api';
import { formatDay } from '../state/format.js';
import type { EntryRow, TimelineRow } from '../state/timeline.js';
import { loader, store } from '../app/page.js';
import { FirstRun, FirstSteps } from './first-run.js';
import { LogRow } from './log-row.js';
import { useLogScroll } from './use-log-scroll.js';
import { Button, Icon } from './controls.js';

function Line({ row }: { readonly row: Exclude<TimelineRow, EntryRow> }) {
  const isNew = row.kind === 'new';
  return (
    <p class={isNew ? 'divider divider-new' : 'divider'}>
      <span>{isNew ? 'New' : formatDay(Date.parse(row.isoTime), store.nowMs.value)}</span>
    </p>
  );
}

function Start({ channel: { id, name } }: { readonly channel: SimChannel }) {
  const { loading, error, hasOlder, messages } = store.openLog.value;
  if (error !== null)
    return (
      <p class="log-note failed">
        <Icon name="alert" />
        {error}
        <Button
          onClick={() =>
            void (messages.length === 0 ? loader.loadNewest(id) : loader.loadOlder(id))
          }
        >
          Try again
        </Button>
      </p>
    );
  // Shown before the messages load too, because a note that appears would move the rows on the screen.
  if (hasOlder || (loading === 'newest' && messages.length === 0))
    return <p class="log-note">Loading messages…</p>;
  if (messages.length === 0) return null;
  return <p class="log-note">This is the start of #{name}.</p>;
}

/** Maximum number of messages in a channel that shows hints for new users. */
const MAX_GREETING = 2;

/** Moves the focus to another row. Returns false for other keys. */
function moveFocus(log: HTMLElement, from: HTMLElement, key: string): boolean {
  const rows = [...log.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(from);
  const targets: Readonly<Record<string, number>> = {
    ArrowUp: Math.max(0, at - 1),
    ArrowDown: Math.min(rows.length - 1, at + 1),
    Home: 0,
    End: rows.length - 1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  rows[target]?.focus();
  return true;
}

/** Shows the messages of a channel, and its interactions without an answer. */
export function MessageList({ channel }: { readonly channel: SimChannel }) {
  const rows = store.timeline.value;
  const log = store.openLog.value;
  const entries = rows.filter((row) => row.kind === 'entry');
  const last = entries.at(-1);
  const userId = store.place.value.user?.id;
  const hovered = useSignal<string | null>(null);
  const focused = useSignal<string | null>(null);
  const tabStop = useSignal<string | null>(null);
  const scroll = useLogScroll({
    firstKey: entries[0]?.key,
    lastKey: last?.key,
    isLastOwn: [last?.message?.authorId, last?.interaction?.userId].includes(userId),
    onNearStart: () => void loader.loadOlder(channel.id),
    onEnd: () => loader.cut(channel.id),
  });
  const rowOf = (target: EventTarget | null): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  const tabStopKey = entries.some((row) => row.key === tabStop.value) ? tabStop.value : last?.key;
  const isEmpty = entries.length === 0 && log.loading === null && log.error === null;
  // `true` for a channel with only a greeting, before the first command.
  const isUntouched =
    entries.length > 0 &&
    entries.length <= MAX_GREETING &&
    !log.hasOlder &&
    channel.visibleToBot &&
    store.interactions.value.size === 0 &&
    (store.place.value.server?.botIds.length ?? 0) > 0;

  return (
    <>
      <div
        ref={scroll.ref}
        class="log"
        role="log"
        aria-label={`Messages in #${channel.name}`}
        // The live region announces messages instead, and combines frequent ones.
        aria-live="off"
        aria-relevant="additions"
        data-region="messages"
        onScroll={scroll.onScroll}
        onPointerOver={(event) => {
          if (event.pointerType === 'mouse')
            hovered.value = rowOf(event.target)?.dataset['row'] ?? null;
        }}
        onPointerLeave={() => (hovered.value = null)}
        onFocusIn={(event) => {
          const key = rowOf(event.target)?.dataset['row'] ?? null;
          focused.value = key;
          if (key !== null) tabStop.value = key;
        }}
        onFocusOut={(event) => {
          // The row of the next focused element: without its toolbar, the focus would be lost.
          focused.value = rowOf(event.relatedTarget)?.dataset['row'] ?? null;
        }}
        onKeyDown={(event) => {
          const row = rowOf(event.target);
          if (row === null) return;
          const isRow = event.target === row;
          if (event.key === 'Escape') (isRow ? document.getElementById('composer') : row)?.focus();
          else if (!isRow || !moveFocus(event.currentTarget, row, event.key)) return;
          event.preventDefault();
        }}
      >
        <div class="log-inner">
          {isEmpty ? <FirstRun channel={channel} /> : <Start channel={channel} />}
          {rows.map((row) =>
            row.kind === 'entry' ? (
              <LogRow
                key={row.key}
                row={row}
                isTabStop={row.key === tabStopKey}
                isActive={row.key === hovered.value || row.key === focused.value}
              />
            ) : (
              <Line key={row.key} row={row} />
            ),
          )}
          {isUntouched && (
            <div class="first-steps">
              <FirstSteps />
            </div>
          )}
        </div>
      </div>
      {!scroll.isAtEnd.value && (
        <Button class="button to-end" onClick={scroll.toEnd}>
          <Icon name="arrow-down" />
          {scroll.hasNewBelow.value ? 'New messages' : 'Jump to newest'}
        </Button>
      )}
    </>
  );
}
