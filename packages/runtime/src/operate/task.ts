import { errorText } from '@virgule/core/errors';
import { showControls } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { actionOf, type Action, type Operation, type OperationContext } from './operation.js';

/** Lists the runs of tasks, and runs, cancels or retries one. */
export const task: Operation = async (words, { json = false }, context) => {
  const action = actionOf(ACTIONS, words);
  if (!action) {
    const want = '`list [NAME]`, `run NAME [JSON]`, `cancel ID` or `retry ID`';
    throw runtimeErrors.E_ARGUMENTS({
      command: 'task',
      program: context.program,
      want,
      saw: words,
    });
  }
  const tasks = await context.readTasks();
  const connection = await context.openStorage();
  const [, ...given] = words;
  try {
    return await action.run({ queue: new TaskQueue(connection, tasks), given, context, json });
  } finally {
    await connection.close();
  }
};

interface ActionInput {
  readonly queue: TaskQueue;
  /** The words after the action. */
  readonly given: readonly string[];
  readonly context: OperationContext;
  readonly json: boolean;
}

const ACTIONS: Readonly<Record<string, Action<ActionInput>>> = {
  list: { least: 0, most: 1, run: list },
  run: {
    least: 1,
    most: 2,
    async run({ queue, given: [name = '', text], context, json }) {
      const payload = text === undefined ? undefined : readJson(text, context);
      const { id } = await queue.add(name, queue.clock.now(), payload);
      context.stdout.write(json ? `${JSON.stringify({ v: 1, id })}\n` : `${id}\n`);
      return 0;
    },
  },
  cancel: {
    least: 1,
    most: 1,
    async run({ queue, given: [id = ''], context }) {
      if (await queue.store.cancel(id)) return 0;
      const why = (await queue.store.isScheduled(id))
        ? `${showControls(id)} is the next run of a schedule, which only its file changes.`
        : `No run ${showControls(id)} is pending.`;
      context.stderr.write(`${why}\n`);
      return 1;
    },
  },
  retry: {
    least: 1,
    most: 1,
    async run({ queue, given: [id = ''], context, json }) {
      const next = await queue.store.retry(id);
      if (next === undefined) {
        context.stderr.write(`No run ${showControls(id)} has failed in the last week.\n`);
        return 1;
      }
      context.stdout.write(json ? `${JSON.stringify({ v: 1, id: next })}\n` : `${next}\n`);
      return 0;
    },
  },
};

async function list({ queue, given: [only], context, json }: ActionInput): Promise<number> {
  const { store, tasks } = queue;
  const names = new Set([...tasks.keys(), ...(await store.names())]);
  for (const name of only === undefined ? [...names].toSorted() : [only]) {
    for await (const run of store.all(name)) {
      context.interrupt.throwIfAborted();
      const { id, state, dueMs, payload, reason } = run;
      const at = new Date(dueMs).toISOString();
      const line = json
        ? JSON.stringify({ id, task: name, state, at, payload, reason })
        : [at, state.padEnd(9), id, showControls(JSON.stringify(payload) ?? ''), reason ?? '']
            .filter(Boolean)
            .join('  ');
      context.stdout.write(`${line}\n`);
    }
  }
  return 0;
}

function readJson(text: string, { program }: OperationContext): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const want = `JSON, such as '{"text": "tea"}'`;
    throw runtimeErrors.E_ARGUMENTS(
      { command: 'task', program, want: `${want} (${errorText(cause)})`, saw: [text] },
      { cause },
    );
  }
}
