import type { SimTraceRow } from '@virgule/core/simulator-api';
import { formatDuration, formatTime } from '../state/format.js';
import type { TraceLine } from '../state/trace-groups.js';
import { barsOf, offsetText, shortTitle, spanOf } from '../state/trace-text.js';
import { Icon } from './controls.js';

/** Marks of the rows in a group, with their meanings. */
const MARKS = [
  ['user', 'user', 'you'],
  ['platform', 'to-bot', 'to the bot'],
  ['log', 'code', 'handler, log'],
  ['bot', 'from-bot', 'from the bot'],
] as const;

function Mark({ row }: { readonly row: SimTraceRow }) {
  const [by, icon, meaning] =
    MARKS.find(([each]) => each === (row.kind === 'log' ? 'log' : row.from)) ?? MARKS[0];
  return (
    <span class={`trace-${by}`}>
      <Icon name={icon} />
      <span class="visually-hidden">{meaning}: </span>
    </span>
  );
}

const KIND_ICONS = {
  commands: 'check',
  events: 'message',
  tasks: 'tasks',
  saves: 'saved',
  connection: 'events',
  heartbeat: 'events',
} as const;
const OUTCOME_ICONS = { ok: undefined, warn: 'alert', err: 'failed' } as const;

interface RowProps {
  readonly line: TraceLine;
  /** `true` if there are several bots. */
  readonly namesBot: boolean;
}

/** Shows the head of a group, or a row of an open group. */
export function Row({ line: { row, group, times }, namesBot }: RowProps) {
  const count = times > 1 && <span class="tag">×{times}</span>;
  if (row !== null && group.rows.length > 1)
    return (
      <>
        <span class="trace-at">{offsetText(row.atMs - group.startMs)}</span>
        <Mark row={row} />
        <code class="trace-what" title={row.what}>
          <bdi>{shortTitle(row.what)}</bdi> {namesBot && <span class="tag">{row.bot}</span>} {count}
        </code>
        <span class="note">{row.status}</span>
        <span class="trace-took">{row.tookMs === undefined ? '' : formatDuration(row.tookMs)}</span>
      </>
    );
  const { kind, title, outcome, startMs, tookMs } = group;
  return (
    <>
      {row === null ? <Icon name="chevron" /> : <span />}
      <span class={`trace-${kind} trace-${outcome.tone}`}>
        <Icon name={OUTCOME_ICONS[outcome.tone] ?? KIND_ICONS[kind]} />
      </span>
      <time class="trace-clock">{formatTime(startMs)}</time>
      <span class="trace-head" title={title}>
        <bdi class="trace-what">{shortTitle(title)}</bdi>
        {count}
        {outcome.word !== '' && <span class={`tag tag-${outcome.tone}`}>{outcome.word}</span>}
      </span>
      {/* The phases, on the scale of the duration. */}
      <span class="trace-phases" aria-hidden="true">
        {barsOf(group).map(({ label, fromMs, tookMs, phase }) => (
          <i
            key={`${label} ${fromMs}`}
            class={`phase-${phase}`}
            style={spanOf(fromMs, tookMs, group.tookMs)}
          />
        ))}
      </span>
      <span class="trace-took">{tookMs > 0 && formatDuration(tookMs)}</span>
    </>
  );
}

/** Explains the marks of the rows. */
export function Legend() {
  return (
    <p class="legend">
      {MARKS.map(([by, icon, meaning]) => (
        <span key={by} class={`trace-${by}`}>
          <Icon name={icon} /> {meaning}
        </span>
      ))}
    </p>
  );
}
