import { isRecord } from '@virgule/core/objects';
import { showControls, showOnOneLine } from '@virgule/core/text';
import { RECORD_PREFIX, type FailedRecord } from '../observe/recorder.js';
import { createStorage } from '../storage/storage.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { DeadEvent, DeadEvents, ScaledProcess } from '../scale/scale.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { defineOperation, print, type Action, type ActionInput } from './operation.js';

const MAX_LISTED = 10_000;

/** Work that failed for good: an event that was set aside, a run of a task, or a recorded command or event. */
interface FailedWork {
  readonly id: string;
  readonly kind: 'command' | 'event' | 'task';
  /** Time of the failure, in ISO 8601. */
  readonly at: string;
  /** Typed line of a command, or name of another event or of a task. */
  readonly name: string;
  readonly reason: string;
  /** Payload of a run of a task. */
  readonly payload?: unknown;
  /**
   * Has the work done again. Resolves to its new id; `'too-old'` for a command that can no longer be answered, `undefined` if it is
   * gone. Absent for a record: its event was handled, and is not delivered again.
   */
  readonly retry?: () => Promise<string | undefined>;
  readonly drop: () => Promise<unknown>;
  /** Form of the text in a record; absent for work that was not recorded. */
  readonly text?: FailedRecord['text'];
}

interface FailedSources {
  /** Absent for a bot of one process. */
  readonly scaled: ScaledProcess | undefined;
  readonly queue: TaskQueue;
  readonly connection: StorageConnection;
  close(): Promise<void>;
}

export const failed = defineOperation<FailedSources>({
  command: 'failed',
  async open(context) {
    const connection = await context.openStorage();
    const scaled = await context.openScale();
    const close = async (): Promise<void> => {
      await connection.close();
      await scaled?.close();
    };
    return { scaled, queue: new TaskQueue(connection, new Map()), connection, close };
  },
  actions: {
    async list(sources, input) {
      let count = 0;
      for await (const work of failedWork(sources)) {
        input.context.interrupt.throwIfAborted();
        const text = [work.id, work.at, work.name, work.reason].map((part) => showOnOneLine(part));
        print(input, work, text.join('  '));
        count += 1;
      }
      if (count === 0 && !input.flags.json) input.context.stdout.write('Nothing has failed.\n');
    },
    'show ID': actionOn((work, input) =>
      print(input, work, showControls(JSON.stringify(work, null, 2), '')),
    ),
    'retry ID': actionOn(async (work, input) => {
      const next = await work.retry?.();
      if (next !== undefined && next !== 'too-old') return print(input, { id: next }, next);
      const isGone = work.retry
        ? 'another process has retried or dropped it'
        : 'it is only recorded';
      const why = next ? 'it is too old to be answered' : isGone;
      input.context.stderr.write(`${showControls(work.name, '')} is not retried: ${why}.\n`);
      return 1;
    }),
    'drop ID': actionOn(async (work) => void (await work.drop())),
    'test ID': actionOn((work, { context }) => {
      if (!work.text) {
        context.stderr.write(`${work.id} was not recorded.\n`);
        return 1;
      }
      const json = JSON.stringify(work, null, 2);
      if (context.saveTest) return context.saveTest(work, json);
      context.stdout.write(`${json}\n`);
      return 0;
    }),
  },
});

/** Returns an action on the failed work with the given id. */
function actionOn(
  act: (work: FailedWork, input: ActionInput) => number | void | Promise<number | void>,
): Action<FailedSources> {
  return async (sources, input) => {
    const [id = ''] = input.given;
    for await (const work of failedWork(sources)) if (work.id === id) return act(work, input);
    input.context.stderr.write(`Nothing that failed has the id ${showControls(id, '')}.\n`);
    return 1;
  };
}

async function* failedWork({
  scaled,
  queue,
  connection,
}: FailedSources): AsyncGenerator<FailedWork> {
  if (scaled)
    for (const dead of await scaled.dead.list(MAX_LISTED)) yield workOfEvent(dead, scaled.dead);
  for (const task of await queue.store.names('failed'))
    for await (const { id, payload, reason = '', at = '' } of queue.store.failed(task)) {
      const actions = { retry: () => queue.retry(id), drop: () => queue.store.dropFailed(id) };
      yield { id, kind: 'task', at, name: task, reason, payload, ...actions };
    }
  const store = createStorage(connection);
  for await (const { key, value } of store.entries<FailedRecord | null>(RECORD_PREFIX))
    // The id names files.
    if (value && /^\d+$/.test(value.id)) yield { ...value, drop: () => store.delete(key) };
}

function workOfEvent(dead: DeadEvent, events: DeadEvents): FailedWork {
  const { id, event, deliveries } = dead;
  const rawInput = isRecord(event?.d) ? event.d['rawInput'] : undefined;
  return {
    ...dead,
    kind: 'event',
    name: typeof rawInput === 'string' ? rawInput : (event?.t ?? 'cannot be read'),
    reason: `delivered ${deliveries} times, and never ended`,
    async retry() {
      const result = await events.replay(id);
      return result === true ? id : result || undefined;
    },
    drop: () => events.drop(id),
  };
}
