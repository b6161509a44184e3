import { useSignal } from '@preact/signals';
import type { SimTask, SimTaskRun } from '@virgule/core/simulator-api';
import { isRecord } from '@virgule/core/objects';
import { fieldsOfSchema, namesOf, payloadOf, type FormValues } from '../state/form-fields.js';
import { formatDuration, formatMoment, formatWait } from '../state/format.js';
import { readJson } from '../net/request-error.js';
import { inspector, now, store } from '../app/page.js';
import { SourceText } from './code-block.js';
import { Empty, Item, Section, TextButton } from './controls.js';
import { Form } from './form.js';
import { named } from './storage-tab.js';
import { Deadlines } from './world-time.js';

/** Icon of each state, and the action that ends the state. */
const STATES = {
  failed: ['failed', 'retry'],
  scheduled: ['tasks', null],
  pending: ['tasks', 'cancel'],
  open: ['tasks', 'cancel'],
  done: ['check', null],
} as const;

function Run({ run, schedule }: { readonly run: SimTaskRun } & Pick<SimTask, 'schedule'>) {
  const { id, at, state, attempt, timing, payload, reason, tookMs } = run;
  const timeMs = Date.parse(at);
  const [icon, actionOfState] = STATES[state];
  const action = timing === undefined ? actionOfState : 'cancel';
  const facts = [
    timeMs > now() && `in ${formatWait(timeMs - now())}`,
    attempt !== undefined && `attempt ${attempt}`,
    timing,
    reason?.replace(/\.$/, ''),
    tookMs !== undefined && formatDuration(tookMs),
    payload !== undefined && named(JSON.stringify(payload)),
  ];
  return (
    <Item
      class={state}
      icon={icon}
      name={formatMoment(timeMs, timing ?? schedule)}
      tag={state}
      note={facts.filter(Boolean).join(', ')}
    >
      {action !== null && (
        <TextButton onClick={() => inspector.send('task', { action, name: id })}>
          {action === 'cancel' ? 'Cancel' : 'Retry'}
          <span class="visually-hidden"> the run {id}</span>
        </TextButton>
      )}
    </Item>
  );
}

const AT = { name: 'due time', label: 'Run at', type: 'time' };

/** Shows the fields of the payload, and runs the task now or at a time. */
function RunForm({ task: { name, payload: schema, runs } }: { readonly task: SimTask }) {
  const isTimed = useSignal(false);
  const latest = runs.find(({ payload }) => payload !== undefined)?.payload ?? {};
  const json = { name: 'payload', type: 'json', rows: 4, initial: JSON.stringify(latest, null, 2) };
  const fields =
    isRecord(schema?.['properties']) && isRecord(latest)
      ? fieldsOfSchema(schema, namesOf(store.world.value), latest)
      : [json];
  const own = schema === null ? [] : fields;
  const read = (values: FormValues) =>
    fields[0] === json
      ? readJson(values['payload'] ?? '', 'The payload is not JSON.')
      : payloadOf(fields, values);
  return (
    <Form
      fields={isTimed.value ? [AT, ...own] : own}
      submit={isTimed.value ? 'Run then' : 'Run now'}
      onSubmit={({ [AT.name]: at, ...values }) =>
        inspector.send('task', () => ({
          action: 'run',
          name,
          payload: schema === null ? undefined : read(values),
          at: at && new Date(at).toISOString(),
        }))
      }
    >
      <TextButton onClick={() => (isTimed.value = !isTimed.peek())}>
        {isTimed.value ? 'Run now instead' : 'Run at…'}
      </TextButton>
    </Form>
  );
}

function Task({ task }: { readonly task: SimTask }) {
  const { name, file, schedule, canRun, runs, hasMore } = task;
  return (
    <Section
      title={name}
      name={`Task ${name}`}
      tag={schedule ?? 'when called'}
      note={<SourceText text={file ?? 'No file defines this task: its runs wait.'} />}
    >
      <ul class="items">
        {runs.map((run) => (
          <Run key={run.id} run={run} schedule={schedule} />
        ))}
      </ul>
      {hasMore && <p class="note">More runs: virgule task list {name}</p>}
      {canRun && <RunForm task={task} />}
    </Section>
  );
}

export function TasksTab() {
  const tasks = inspector.shown.value.tasks;
  if (tasks === undefined) return null;
  if (tasks.length === 0)
    return (
      <Empty icon="tasks" title="No tasks">
        Add <code>tasks/digest.ts</code> for work on a schedule, or run{' '}
        <code>virgule new task digest</code>.
      </Empty>
    );
  return (
    <>
      <Deadlines kind="task" />
      {tasks.map((task) => (
        <Task key={task.name} task={task} />
      ))}
    </>
  );
}
