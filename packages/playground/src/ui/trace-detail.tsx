import type { SimTraceSection } from '@virgule/core/simulator-api';
import { testOf } from '../state/copy-run.js';
import type { TraceGroup } from '../state/trace-groups.js';
import {
  barsOf,
  describeGroup,
  prettyText,
  shortDuration,
  shortTitle,
} from '../state/trace-text.js';
import { composer, inspector, runs, showMoment, store } from '../app/page.js';
import { CopyButton } from './copy-button.js';
import { CodeBlock } from './code-block.js';
import { Button, IconButton, TextButton } from './controls.js';

function Section({ section: { title, text, length } }: { readonly section: SimTraceSection }) {
  if (text === '') return null;
  const pretty = prettyText(text);
  return (
    <details class="trace-section" open={!title.endsWith('headers')}>
      <summary>{title}</summary>
      <CopyButton label="Copy" name={title} text={() => pretty} />
      <CodeBlock name={title} text={pretty} />
      {text.length < length && (
        <p class="trace-cut">
          The first {text.length.toLocaleString('en')} characters of {length.toLocaleString('en')}.
        </p>
      )}
    </details>
  );
}

function Waterfall({ group }: { readonly group: TraceGroup }) {
  const bars = barsOf(group);
  if (bars.length === 0) return null;
  const wholeMs = Math.max(1, ...bars.map(({ fromMs, tookMs }) => fromMs + tookMs));
  const percent = (ms: number): string => `${(ms / wholeMs) * 100}%`;
  return (
    <ol class="waterfall" aria-label="Times">
      {bars.map(({ label, fromMs, tookMs, isError }) => (
        <li key={`${label} ${fromMs}`} class={isError ? 'trace-error' : ''}>
          <span class="waterfall-label" title={label}>
            {label}
          </span>
          <span class="waterfall-track" aria-hidden="true">
            <span class="waterfall-bar" style={{ left: percent(fromMs), width: percent(tookMs) }} />
          </span>
          <span class="waterfall-time">{shortDuration(tookMs)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Shows the actions for a finished command. */
function RunTools({ group }: { readonly group: TraceGroup }) {
  const interaction = store.interactions.value.get(group.key);
  if (interaction === undefined || store.past.value !== null) return null;
  const { rawInput, channelId, responseMessageId } = interaction;
  const answer = (): string | null =>
    store.logs
      .peek()
      .get(channelId)
      ?.messages.find(({ id }) => id === responseMessageId)?.content ?? null;
  return (
    <div class="buttons">
      <Button onClick={() => runs.again(rawInput)}>Run again</Button>
      <TextButton
        onClick={() => {
          composer.peek()?.fill(rawInput);
          document.getElementById('composer')?.focus();
        }}
      >
        Edit and run
      </TextButton>
      <TextButton onClick={() => runs.pinLine(rawInput)}>Pin</TextButton>
      <CopyButton label="Copy as test" name="" text={() => testOf(rawInput, answer())} />
    </div>
  );
}

function GroupDetail({ group }: { readonly group: TraceGroup }) {
  const sentences = describeGroup(group);
  return (
    <>
      {sentences.length > 0 && <p class="trace-summary">{sentences.join(' ')}</p>}
      <RunTools group={group} />
      <Waterfall group={group} />
    </>
  );
}

/** Shows the selected line: a summary and the times of a group, or the bodies and headers of a row. */
export function TraceDetail() {
  const { trace } = inspector;
  const selected = trace.selected.value;
  const detail = trace.detail.value;
  if (selected === null) {
    if (!trace.isMissing.value) return null;
    return (
      <p class="trace-detail trace-cut" role="status">
        The trace has no rows for this: it begins when the simulator starts.
      </p>
    );
  }
  const { row, group } = selected;
  const title = row === null ? group.title : shortTitle(row.what);
  return (
    <section class="trace-detail" aria-label="Details">
      <div class="trace-detail-head">
        <h3>
          <bdi>{title}</bdi>
        </h3>
        <IconButton icon="close" label="Close details" onClick={() => trace.select(null)} />
      </div>
      {row === null ? (
        <GroupDetail group={group} />
      ) : (
        <p class="trace-when">
          <time dateTime={new Date(row.atMs).toISOString()}>
            {new Date(row.atMs).toISOString()}
          </time>
          <TextButton onClick={() => showMoment(row.moment)}>Show the world then</TextButton>
        </p>
      )}
      {detail?.sections.map((section) => (
        <Section key={section.title} section={section} />
      ))}
    </section>
  );
}
