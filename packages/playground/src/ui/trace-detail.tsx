import type { SimTraceSection } from '@virgule/core/simulator-api';
import { testOf } from '../state/copy-run.js';
import { formatDuration, formatTime } from '../state/format.js';
import type { TraceGroup, TraceLine } from '../state/trace-groups.js';
import {
  describeGroup,
  offsetText,
  prettyText,
  shortTitle,
  spanOf,
  type TraceBar,
} from '../state/trace-text.js';
import { composer, inspector, runs, showMoment, store } from '../app/page.js';
import { CopyButton } from './copy-button.js';
import { CodeBlock, SourceFrame, SourceText } from './code-block.js';
import { Button, Entry, Icon, IconButton, TextButton } from './controls.js';
import { Splitter } from './splitter.js';

function Section({ section: { title, text, length } }: { readonly section: SimTraceSection }) {
  if (text === '') return null;
  if (title === 'Hint')
    return (
      <p>
        <strong>Try</strong> {text}
      </p>
    );
  const pretty = prettyText(text);
  const isFile = /\.[cm]?[jt]sx?$/.test(title);
  return (
    <details class="trace-section" open={!title.endsWith('headers')}>
      <summary>{title}</summary>
      <CopyButton label="Copy" name={title} text={() => pretty} />
      {isFile && <SourceText text={`${title}:1`} />}
      {title === 'Source code' ? (
        <SourceFrame text={text} />
      ) : (
        <CodeBlock name={title} text={pretty} isCode={isFile} />
      )}
      {text.length < length && (
        <p class="trace-cut">
          The first {text.length.toLocaleString('en')} characters of {length.toLocaleString('en')}.
        </p>
      )}
    </details>
  );
}

/** Number of marks on the scale of the timeline. */
const MARKS = 4;

function Timeline({ bars }: { readonly bars: readonly TraceBar[] }) {
  const wholeMs = Math.max(1, ...bars.map(({ fromMs, tookMs }) => fromMs + tookMs));
  // The smallest of 1, 2, 5 and 10, times a power of ten, with at most this number of steps.
  const power = 10 ** Math.floor(Math.log10(wholeMs / MARKS));
  const stepMs = power * ([1, 2, 5].find((each) => each * power >= wholeMs / MARKS) ?? 10);
  const scale = Array.from({ length: Math.floor(wholeMs / stepMs) + 1 }, (_, at) => at * stepMs);
  return (
    <ol class="waterfall" aria-label="Times" style={{ '--step': `${(100 * stepMs) / wholeMs}%` }}>
      <li class="waterfall-scale" aria-hidden="true">
        <span>ms</span>
        <span class="waterfall-track">
          {scale.map((ms) => (
            <span key={ms} style={spanOf(ms, 0, wholeMs)}>
              {Number(ms.toFixed(1))}
            </span>
          ))}
        </span>
      </li>
      {bars.map(({ label, fromMs, tookMs, phase }) => (
        <li key={`${label} ${fromMs}`}>
          <span class="waterfall-label" title={label}>
            {label}
          </span>
          <span class="waterfall-track" aria-hidden="true">
            <i class={`phase-${phase}`} style={spanOf(fromMs, tookMs, wholeMs)} />
          </span>
          <span class="trace-took">{formatDuration(tookMs)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Shows the actions for a finished command. */
function RunTools({ group }: { readonly group: TraceGroup }) {
  const interaction = store.interactions.value.get(group.key);
  if (interaction === undefined || store.past.value !== null) return null;
  const { rawInput } = interaction;
  return (
    <div class="buttons">
      <Button aria-keyshortcuts="R" onClick={() => runs.again(rawInput)}>
        <Icon name="saved" /> Run again
      </Button>
      <TextButton aria-keyshortcuts="E" onClick={() => composer.peek()?.fill(rawInput)}>
        <Icon name="pencil" /> Edit
      </TextButton>
      <TextButton aria-keyshortcuts="P" onClick={() => runs.pinLine(rawInput)}>
        <Icon name="pin" /> Pin
      </TextButton>
      <CopyButton
        icon="test"
        aria-keyshortcuts="T"
        label="Copy as test"
        name=""
        text={() => testOf(rawInput, answerOf(group.key))}
      />
    </div>
  );
}

/** Returns the content of the answer to a command, if it is loaded. */
function answerOf(key: string): string | undefined {
  const { channelId = '', responseMessageId } = store.interactions.value.get(key) ?? {};
  const messages = store.logs.value.get(channelId)?.messages;
  return messages?.find(({ id }) => id === responseMessageId)?.content;
}

/** Compares the answer and the duration of a run with those of an earlier run of the command. */
function Diff({ group, before }: { readonly group: TraceGroup; readonly before: TraceGroup }) {
  const [old, now] = [before, group].map(({ key }) => (answerOf(key) ?? '').split('\n'));
  return (
    <div class="diff">
      <p class="note">
        {before.title}, {formatTime(before.startMs)}: {formatDuration(before.tookMs)}; now{' '}
        {formatDuration(group.tookMs)}.
      </p>
      {old?.map((line, at) => !now?.includes(line) && <del key={at}>{line}</del>)}
      {now?.map((line, at) =>
        old?.includes(line) ? <p key={at}>{line}</p> : <ins key={at}>{line}</ins>,
      )}
    </div>
  );
}

function GroupDetail({ group }: { readonly group: TraceGroup }) {
  const { part, parts, partNames, shownPart, setOpen, select } = inspector.trace;
  const shown = shownPart.value;
  const { timeline, logs, diff } = parts.value;
  const sentences = describeGroup(group);
  return (
    <>
      {sentences.length > 0 && <p class="trace-summary">{sentences.join(' ')}</p>}
      <RunTools group={group} />
      <div class="parts" role="group" aria-label="Parts">
        {partNames.value.map((name) => (
          <button
            key={name}
            type="button"
            class="view-name"
            aria-pressed={name === shown}
            onClick={() => (part.value = name)}
          >
            {name} {name === 'logs' && <span class="note">{logs?.length}</span>}
          </button>
        ))}
      </div>
      {shown === 'timeline' && timeline && <Timeline bars={timeline} />}
      {shown === 'logs' && (
        <ul aria-label="Log entries">
          {logs?.map(({ id, atMs, isError, what }) => (
            <li key={id}>
              <Entry
                class={isError ? 'entry flow failed' : 'entry flow'}
                onClick={() => {
                  setOpen(group, true);
                  select(`row-${id}`);
                }}
              >
                <span class="note">{offsetText(atMs - group.startMs)}</span>
                <code class="cut">{what}</code>
              </Entry>
            </li>
          ))}
        </ul>
      )}
      {shown === 'diff' && diff && <Diff group={group} before={diff} />}
    </>
  );
}

/** Shows the selected line: a summary and the parts of a group, or the bodies and headers of a row. */
export function TraceDetail({ selected }: { readonly selected: TraceLine | null }) {
  const { trace } = inspector;
  const detail = trace.detail.value;
  if (selected === null) {
    if (!trace.isMissing.value) return null;
    return (
      <p class="trace-cut" role="status">
        The trace has no rows for this: it begins when the simulator starts.
      </p>
    );
  }
  const { row, group } = selected;
  const { tone, word } = group.outcome;
  return (
    <section class="trace-detail" aria-label="Details" tabIndex={-1}>
      <Splitter name="detail" label="Height of the details" max={800} isRow />
      <div class="trace-detail-head">
        <h3 class={tone === 'err' ? 'trace-error' : ''}>
          <bdi>{row === null ? group.title : shortTitle(row.what)}</bdi>
        </h3>
        {row === null && word !== '' && <span class={`tag tag-${tone}`}>{word}</span>}
        <span class="spacer" />
        <IconButton icon="close" label="Close details" onClick={() => trace.select(null)} />
      </div>
      {row === null ? (
        <GroupDetail group={group} />
      ) : (
        <p class="trace-when">
          <time dateTime={new Date(row.atMs).toISOString()}>
            {new Date(row.atMs).toISOString()}
          </time>
          <TextButton onClick={() => showMoment(row.moment)}>View this moment</TextButton>
        </p>
      )}
      {detail?.sections.map((section) => (
        <Section key={section.title} section={section} />
      ))}
    </section>
  );
}
