import { useState } from 'preact/hooks';
import type { SimTask, SimTaskRun } from '@virgule/core/simulator-api';
import { formatClock, formatDay } from '../state/format.js';
import { timeOf } from '../state/message-time.js';
import { inspector } from '../app/page.js';
import { TextButton } from './controls.js';

/** Text of each state, and the action that ends the state. */
const STATES = {
  failed: ['failed', 'retry'],
  scheduled: ['next', null],
  pending: ['pending', 'cancel'],
} as const;

function Run({ run }: { readonly run: SimTaskRun }) {
  const timeMs = timeOf(run.at);
  const [state, action] = STATES[run.state];
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
  const { name, file, schedule, hasPayload, runs, hasMore } = task;
  const latest = runs.find(({ payload }) => payload !== undefined)?.payload ?? {};
  const [payload, setPayload] = useState<string | null>(null);
  const text = payload ?? JSON.stringify(latest);
  return (
    <section class="task" aria-label={`Task ${name}`}>
      <div class="task-head">
        <h3>{name}</h3>
        <span class="task-when">{schedule ?? 'when called'}</span>
      </div>
      <p class="task-file">
        {file === null ? 'No file defines this task: its runs wait.' : <code>{file}</code>}
      </p>
      {file !== null && (
        <form
          class="task-run"
          onSubmit={(event) => {
            event.preventDefault();
            inspector.run(task, text);
          }}
        >
          {hasPayload && (
            <label class="task-payload">
              <span class="visually-hidden">Payload of {name}, as JSON</span>
              <input
                value={text}
                spellcheck={false}
                onInput={(event) => setPayload(event.currentTarget.value)}
              />
            </label>
          )}
          <button type="submit" class="button">
            Run now<span class="visually-hidden">: {name}</span>
          </button>
        </form>
      )}
      {runs.length > 0 && (
        <ul class="runs">
          {runs.map((run) => (
            <Run key={run.id} run={run} />
          ))}
        </ul>
      )}
      {hasMore && <p class="task-more">More runs: virgule task list {name}</p>}
    </section>
  );
}

/** Lists the tasks of the bot with their runs. */
export function TasksTab() {
  const tasks = inspector.tasks.value;
  if (tasks === null) return null;
  if (tasks.length === 0) {
    return (
      <p class="inspector-empty">
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
