import { isRecord } from '@virgule/core/objects';
import { showControls } from '@virgule/core/text';
import type { DeadEvent, DeadEvents, ScaledProcess } from '../scale/scale.js';
import { taskOf } from '../tasks/task-keys.js';
import { TaskQueue } from '../tasks/task-queue.js';
import type { ListedRun } from '../tasks/task.js';
import { defineOperation, type OperationContext } from './operation.js';

const MAX_LISTED = 10_000;

/** Work that failed for good: an event that was set aside, or a run of a task. */
interface FailedWork {
  readonly id: string;
  readonly kind: 'event' | 'task';
  /** Time of the failure, in ISO 8601. */
  readonly at: string;
  /** Typed line of a command, or name of another event or of a task. */
  readonly name: string;
  readonly reason: string;
  /** Payload of a run of a task. */
  readonly payload?: unknown;
  /** Has the work done again. Resolves to its new id; `'too-old'` for a command that can no longer be answered, `undefined` if it is gone. */
  readonly retry: () => Promise<string | undefined>;
  readonly drop: () => Promise<unknown>;
}

interface FailedSources {
  /** Absent for a bot of one process. */
  readonly scaled: ScaledProcess | undefined;
  readonly queue: TaskQueue;
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
    return { scaled, queue: new TaskQueue(connection, new Map()), close };
  },
  actions: {
    async list(sources, { flags: { json }, context: { stdout, interrupt } }) {
      let count = 0;
      for await (const work of failedWork(sources)) {
        interrupt.throwIfAborted();
        const text = [work.id, work.at, work.name, work.reason].map((part) =>
          showControls(part, ''),
        );
        stdout.write(`${json ? JSON.stringify({ v: 1, ...work }) : text.join('  ')}\n`);
        count += 1;
      }
      if (count === 0 && !json) stdout.write('Nothing has failed.\n');
    },
    async 'show ID'(sources, { given: [id = ''], flags, context }) {
      const work = await find(sources, id, context);
      if (!work) return 1;
      const text = flags.json ? JSON.stringify({ v: 1, ...work }) : JSON.stringify(work, null, 2);
      context.stdout.write(`${showControls(text, '')}\n`);
      return 0;
    },
    async 'retry ID'(sources, { given: [id = ''], flags, context }) {
      const work = await find(sources, id, context);
      if (!work) return 1;
      const next = await work.retry();
      if (next === undefined || next === 'too-old') {
        const why = next
          ? 'it is too old to be answered'
          : 'another process has retried or dropped it';
        context.stderr.write(`${showControls(work.name, '')} is not retried: ${why}.\n`);
        return 1;
      }
      context.stdout.write(flags.json ? `${JSON.stringify({ v: 1, id: next })}\n` : `${next}\n`);
      return 0;
    },
    async 'drop ID'(sources, { given: [id = ''], context }) {
      const work = await find(sources, id, context);
      await work?.drop();
      return work ? 0 : 1;
    },
  },
});

async function* failedWork({ scaled, queue }: FailedSources): AsyncGenerator<FailedWork> {
  const events = (await scaled?.dead.list(MAX_LISTED)) ?? [];
  for (const event of events) if (scaled) yield workOfEvent(event, scaled.dead);
  for (const task of await queue.store.names('failed'))
    for await (const run of queue.store.failed(task)) yield workOfRun(run, queue);
}

async function find(
  sources: FailedSources,
  id: string,
  { stderr }: OperationContext,
): Promise<FailedWork | undefined> {
  for await (const work of failedWork(sources)) if (work.id === id) return work;
  stderr.write(`Nothing that failed has the id ${showControls(id, '')}.\n`);
  return undefined;
}

function workOfEvent(dead: DeadEvent, events: DeadEvents): FailedWork {
  const { id, event, deliveries } = dead;
  const rawInput = isRecord(event?.d) ? event.d['rawInput'] : undefined;
  const name = typeof rawInput === 'string' ? rawInput : (event?.t ?? 'cannot be read');
  return {
    ...dead,
    kind: 'event',
    name,
    reason: `delivered ${deliveries} times, and never ended`,
    async retry() {
      const result = await events.replay(id);
      return result === true ? id : result || undefined;
    },
    drop: () => events.drop(id),
  };
}

function workOfRun(run: ListedRun, queue: TaskQueue): FailedWork {
  const { id, reason = '', at = '', payload } = run;
  return {
    id,
    kind: 'task',
    at,
    name: taskOf(id),
    reason,
    payload,
    retry: () => queue.retry(id),
    drop: () => queue.store.dropFailed(id),
  };
}
