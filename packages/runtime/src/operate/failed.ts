import { showControls, showOnOneLine } from '@virgule/core/text';
import { commandNamed } from '../command/define/command.js';
import { tasksOf } from '../command/run/approval.js';
import { privateRecord, readRecord, type FailedRecord } from '../observe/record.js';
import { dropRecord, RECORD_PREFIX } from '../observe/recorder.js';
import { createShaper } from '../observe/shape.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { DeadEvent, ScaledProcess } from '../scale/scale.js';
import { readId } from '../tasks/task-keys.js';
import { TaskQueue } from '../tasks/task-queue.js';
import {
  defineOperation,
  print,
  rowText,
  type Action,
  type ActionInput,
  type OperationContext,
} from './operation.js';

const MAX_LISTED = 10_000;

/** Work that failed for good, in the form of a record: an event that was set aside, a run of a task, or a record. */
interface FailedWork
  extends
    Pick<FailedRecord, 'id' | 'kind' | 'name' | 'at' | 'reason' | 'frames'>,
    Partial<Pick<FailedRecord, 'text'>> {
  /** Has the work done again. Absent for a record: its event was handled, and is not delivered again. */
  readonly retry?: DeadEvent['retry'];
  readonly drop: () => Promise<unknown>;
}

interface Failures {
  readonly all: () => AsyncGenerator<FailedWork>;
}

export const failed = defineOperation({
  command: 'failed',
  async open(context: OperationContext) {
    const connection = await context.openStorage();
    const scaled = await context.openScale();
    const safe = createShaper(undefined, context.redact);
    return {
      all: () => failedWork(connection, scaled, safe),
      async close() {
        await connection.close();
        await scaled?.close();
      },
    };
  },
  actions: {
    async list({ all }: Failures, input: ActionInput) {
      let count = 0;
      for await (const work of all()) {
        input.context.interrupt.throwIfAborted();
        print(input, work, rowText([work.id, work.at, work.name, work.reason], input.context));
        count += 1;
      }
      const { elsewhere = '', stdout } = input.context;
      if (count === 0 && !input.flags.json) stdout.write(`Nothing has failed.${elsewhere}\n`);
    },
    'show ID': actionOn((work, input) =>
      print(input, work, showControls(JSON.stringify(work, null, 2), '')),
    ),
    'retry ID': actionOn(async (work, input) => {
      const next = await work.retry?.();
      if (next !== undefined && next !== 'too-old') return print(input, { id: next }, next);
      const { program = 'virgule', stderr } = input.context;
      const gone = work.retry
        ? 'another process has retried or dropped this work'
        : `a recorded failure can only be replayed, with \`${program} failed test ${work.id}\``;
      const why = next ? 'this work is too old to be answered' : gone;
      stderr.write(`${showControls(work.name, '')} is not retried: ${why}.\n`);
      return 1;
    }),
    'drop ID': actionOn(async (work) => void (await work.drop())),
    'test ID': actionOn(async (work, { context }) => {
      const record = work.text ? work : await recordOf(work, context);
      const json = JSON.stringify(record);
      if (context.saveTest) return context.saveTest(json);
      context.stdout.write(`${showOnOneLine(json)}\n`);
      if (record.text === 'keep')
        context.stderr.write('Warning: the record contains what users wrote.\n');
      return 0;
    }),
  },
});

/** Returns the record of work that the bot has not recorded. */
async function recordOf(work: FailedWork, context: OperationContext) {
  const { project, config } = await context.readBot();
  const [{ t, d } = { t: '', d: {} }] = work.frames;
  const { rawInput, content, answer } = Object(d);
  const [word = ''] = String(rawInput ?? content).match(/[\p{L}\p{N}_-]+/u) ?? [];
  const handlers = [
    commandNamed(project.commands, word),
    project.events.get(t),
    tasksOf(project).get(work.name),
    // The emojis of a vote, `yes`, or the members of a message.
    Object.keys(Object(answer)),
  ];
  const { text = 'shape' } = config.failed ?? {};
  const record = privateRecord({ ...work, v: 1, text }, handlers, context.redact);
  return { ...record, id: work.at.replaceAll(/\D/g, '') };
}

/** Returns an action on the failed work with the given id. */
function actionOn(
  act: (work: FailedWork, input: ActionInput) => number | void | Promise<number | void>,
): Action<Failures> {
  return async ({ all }, input) => {
    const [id = ''] = input.given;
    for await (const work of all()) if (work.id === id) return act(work, input);
    const { elsewhere = '', stderr } = input.context;
    stderr.write(`No failure has the id ${showControls(id, '')}.${elsewhere}\n`);
    return 1;
  };
}

async function* failedWork(
  connection: StorageConnection,
  scaled: ScaledProcess | undefined,
  safe: (work: FailedWork) => FailedWork,
): AsyncGenerator<FailedWork> {
  for (const dead of (await scaled?.deadEvents(MAX_LISTED)) ?? []) {
    const { at, event, deliveries, ...more } = dead;
    const { rawInput } = Object(event?.d);
    const name = typeof rawInput === 'string' ? rawInput : (event?.t ?? 'cannot be read');
    const reason = `delivered ${deliveries} times, and never ended`;
    const frames = event ? [{ ...event, atMs: Date.parse(at) }] : [];
    yield safe({ ...more, kind: 'event', at, name, reason, frames });
  }
  const queue = new TaskQueue(connection, new Map());
  for await (const run of queue.store.failed()) {
    const { id, dueMs, payload, answer, shown, question, reason = '' } = run;
    const { at = new Date(dueMs).toISOString() } = run;
    const { task: name, place } = readId(id);
    const { channelId, messageId } = { ...question, ...place };
    const d = { payload, answer, ...shown, channelId, messageId };
    const frames = [{ t: 'task', d, atMs: Date.parse(at) }];
    const actions = { retry: () => queue.retry(id), drop: () => queue.store.dropFailed(id) };
    yield safe({ id, kind: 'task', at, name, reason, frames, ...actions });
  }
  for await (const { key, value } of connection.entries(RECORD_PREFIX)) {
    const { data: record } = readRecord(() => value);
    if (record) yield safe({ ...record, drop: () => dropRecord(connection, key) });
  }
}
