import type { SimTask, SimTaskRun } from '@virgule/core/simulator-api';
import { formatClock, formatDay } from '../state/format.js';
import { inspector } from '../app/page.js';
import { Section, TextButton } from './controls.js';
import { Form } from './form.js';

/** Text of each state, and the action that ends the state. */
const STATES = {
  failed: ['failed', 'retry'],
  scheduled: ['next', null],
  pending: ['pending', 'cancel'],
  open: ['open', 'cancel'],
  done: ['done', null],
} as const;

function Run({ run }: { readonly run: SimTaskRun }) {
  const timeMs = Date.parse(run.at);
  const [state, actionOfState] = STATES[run.state];
  const action = run.timing === undefined ? actionOfState : 'cancel';
  return (
    <li class={`run run-${run.state}`}>
      <p class="run-line">
        <span class="run-state">
          {state}
          {run.attempt !== undefined && `, attempt ${run.attempt}`}
        </span>
        <time dateTime={run.at} title={run.at}>
          {formatDay(timeMs, Date.now())} {formatClock(timeMs)}
        </time>
        {run.timing !== undefined && <span class="note">{run.timing}</span>}
        <span class="spacer" />
        {action !== null && (
          <TextButton onClick={() => inspector.send('task', { action, name: run.id })}>
            {action === 'cancel' ? 'Cancel' : 'Retry'}
            <span class="visually-hidden"> the run {run.id}</span>
          </TextButton>
        )}
      </p>
      {run.payload !== undefined && <code class="run-payload">{JSON.stringify(run.payload)}</code>}
      {run.reason !== undefined && <p class="run-reason">{run.reason}</p>}
    </li>
  );
}

function Task({ task }: { readonly task: SimTask }) {
  const { name, file, schedule, canRun, hasPayload, runs, hasMore } = task;
  const latest = runs.find(({ payload }) => payload !== undefined)?.payload ?? {};
  const label = `Payload of ${name}, as JSON`;
  const payload = { name: 'payload', label, initial: JSON.stringify(latest) };
  return (
    <Section title={name} name={`Task ${name}`} note={schedule ?? 'when called'}>
      <p class="note">
        {file === null ? 'No file defines this task: its runs wait.' : <code>{file}</code>}
      </p>
      {canRun && (
        <Form
          isRow
          fields={hasPayload ? [payload] : []}
          submit="Run now"
          of={`: ${name}`}
          onSubmit={({ payload: text = '' }) => inspector.run(task, text)}
        />
      )}
      {runs.length > 0 && (
        <ul class="runs">
          {runs.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
      {hasMore && <p class="note">More runs: virgule task list {name}</p>}
    </Section>
  );
}

export function TasksTab() {
  const tasks = inspector.shown.value.tasks;
  if (tasks === undefined) return null;
  if (tasks.length === 0) {
    return (
      <p class="empty">
        This bot has no tasks. <code>virgule new task digest</code> creates one.
      </p>
    );
  }
  return (
    <>
      {tasks.map((task) => (
        <Task key={task.name} task={task} />
      ))}
    </>
  );
}
