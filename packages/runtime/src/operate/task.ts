import { showControls } from '@virgule/core/text';
import { tasksOf } from '../command/run/approval.js';
import { createShaper } from '../observe/shape.js';
import { timingText } from '../tasks/task.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { FILE_KEY } from '../tasks/task-repeats.js';
import { readId } from '../tasks/task-keys.js';
import {
  defineOperation,
  print,
  readJson,
  rowText,
  unredacted,
  type ActionInput,
  type OperationContext,
} from './operation.js';

const PAYLOAD = `JSON, such as '{"text": "tea"}'`;

export const task = defineOperation({
  command: 'task',
  async open(context: OperationContext) {
    const { project } = await context.readBot();
    const connection = await context.openStorage();
    return { queue: new TaskQueue(connection, tasksOf(project)), close: () => connection.close() };
  },
  actions: {
    'list [NAME]': list,
    async 'run NAME [JSON]'({ queue }, input) {
      const [name = '', text] = input.given;
      const payload = text === undefined ? text : readJson(text, 'task', PAYLOAD, input.context);
      const { id } = await queue.add(name, queue.connection.clock.now(), payload);
      print(input, { id }, id);
    },
    async 'cancel ID'({ queue }, input) {
      const [id = ''] = input.given;
      const { context } = input;
      if (await queue.cancel(await unredacted(id, idsIn(queue), context)))
        return print(input, { id }, `Canceled ${showControls(id)}.`);
      const why =
        readId(id).repeat === FILE_KEY
          ? `${showControls(id)} is the next run of a schedule, which only its file changes.`
          : `No run ${showControls(id)} is pending. See \`${context.program ?? 'virgule'} task list\`.${context.elsewhere ?? ''}`;
      context.stderr.write(`${why}\n`);
      return 1;
    },
  },
});

const namesIn = async (queue: TaskQueue): Promise<readonly string[]> => [
  ...new Set([...queue.tasks.keys(), ...(await queue.store.names())]),
];

async function* idsIn(queue: TaskQueue): AsyncGenerator<string, void, undefined> {
  for (const name of await namesIn(queue)) for await (const { id } of queue.all(name)) yield id;
}

async function list({ queue }: { readonly queue: TaskQueue }, input: ActionInput): Promise<void> {
  const { given, flags, context } = input;
  const [only] = given;
  const safe = createShaper(undefined, context.redact);
  let none = flags.json ? '' : `No runs.${context.elsewhere ?? ''}\n`;
  for (const name of only === undefined ? (await namesIn(queue)).toSorted() : [only]) {
    // A list of all tasks has only the last done run of each task.
    for await (const run of queue.all(name, only === undefined ? 1 : undefined)) {
      context.interrupt.throwIfAborted();
      const { id, state, at, payload, reason, repeats } = safe(run);
      const cells = [at, state.padEnd(9), id, JSON.stringify(payload), reason];
      const row = rowText([...cells, repeats && timingText(repeats)], context);
      print(input, { id, task: name, state, at, payload, reason, repeats }, row);
      none = '';
    }
  }
  context.stdout.write(none);
}
