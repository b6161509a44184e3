import { createFakeClock, turn } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import type { SimBotQuestion } from '@virgule/core/simulator-api';
import { memory } from '@virgule/runtime';
import { StorageConnection, TaskQueue } from '@virgule/runtime/bot';
import type { Project, Task } from '@virgule/runtime/project';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { answerQuestion } from './bot-questions.js';

const MINUTE = 60_000;

function taskOf(name: string, more: Partial<Task> = {}): Task {
  return {
    name,
    file: `tasks/${name}.ts`,
    schedule: null,
    payload: undefined,
    timeoutMs: MINUTE,
    retries: 0,
    backoffMs: 1_000,
    concurrency: 1,
    maxLateMs: MINUTE,
    settings: {},
    run: () => {},
    ...more,
  };
}

// Only these fields are read.
const COMMAND = { spec: { options: [] }, wire: { description: 'Does it' } };
const PROJECT = {
  commands: new Map([
    ['roll', { ...COMMAND, name: 'roll', file: 'commands/roll.ts' }],
    ['me', { ...COMMAND, name: 'me', file: 'bot-questions.test.ts', messages: 'only' }],
  ]),
  events: new Map([['READY', [{ event: 'READY', file: 'events/ready.ts' }]]]),
  tasks: new Map([
    ['remind', taskOf('remind')],
    ['poll', taskOf('poll', { waits: 'votes' })],
  ]),
} as unknown as Project;

async function open() {
  const clock = createFakeClock({ nowMs: Date.parse('2026-01-05T08:00:00Z') });
  const storage = new StorageConnection(memory(), { clock, log: silentLog, root: '' });
  const tasks = [
    taskOf('remind', { payload: z.object({ text: z.string() }) }),
    taskOf('digest', { schedule: { cron: '0 9 * * 1-5', timeZone: 'Europe/Paris' } }),
  ];
  const queue = new TaskQueue(storage, new Map(tasks.map((task) => [task.name, task])));
  const ask = (question: SimBotQuestion) =>
    answerQuestion(
      { tasks: queue, storage, root: import.meta.dirname, project: () => PROJECT },
      question,
    );
  return { clock, storage, queue, ask };
}

async function runsOf(queue: TaskQueue, task = 'remind') {
  const runs = [];
  for await (const run of queue.store.runs(task)) runs.push(run);
  return runs;
}

describe('answerQuestion', () => {
  it('lists commands, event handlers and the tasks that events answer with their files', async () => {
    const { ask } = await open();
    expect(await ask({ type: 'handlers' })).toEqual({
      value: [
        { name: 'roll', file: 'commands/roll.ts', about: 'Does it' },
        { name: 'me', file: 'bot-questions.test.ts', message: '!me', about: 'Does it' },
        { name: 'READY', file: 'events/ready.ts' },
        { name: 'MESSAGE_REACTION_ADD', file: 'tasks/poll.ts' },
        { name: 'MESSAGE_REACTION_REMOVE', file: 'tasks/poll.ts' },
      ],
    });
  });

  it('lists tasks with their runs, also of files that are gone', async () => {
    const { clock, queue, ask } = await open();
    const { id } = await queue.add('remind', clock.now() + MINUTE, { text: 'tea' });
    await queue.store.add('gone', clock.now(), { payload: 1 });
    for await (const run of queue.store.runs('gone')) await queue.store.keepDone(run, 12);
    const digests = { task: 'digest', timing: { every: MINUTE }, due: clock.now() + MINUTE };
    for (const key of ['', 'general'])
      await queue.repeats.update({ ...digests, key }, () => ({ ...digests, key }));
    const at = '2026-01-05T08:01:00.000Z';
    const digest = { id: expect.any(String), state: 'scheduled', at };
    const gone = { id: expect.any(String), state: 'pending', at: '2026-01-05T08:00:00.000Z' };
    expect(await ask({ type: 'tasks' })).toEqual({
      value: [
        {
          name: 'digest',
          file: 'tasks/digest.ts',
          schedule: 'cron 0 9 * * 1-5 Europe/Paris',
          canRun: true,
          payload: null,
          runs: [digest, { ...digest, timing: 'every 1m' }],
          hasMore: false,
        },
        {
          name: 'gone',
          file: null,
          schedule: null,
          canRun: false,
          payload: null,
          runs: [
            { ...gone, payload: 1 },
            { ...gone, state: 'done', tookMs: 12 },
          ],
          hasMore: false,
        },
        {
          name: 'remind',
          file: 'tasks/remind.ts',
          schedule: null,
          canRun: true,
          payload: expect.objectContaining({
            properties: { text: { type: 'string' } },
            required: ['text'],
          }),
          runs: [{ id, state: 'pending', at, payload: { text: 'tea' } }],
          hasMore: false,
        },
      ],
    });
  });

  it('shows the task of approvals, which has no file, once there are runs', async () => {
    const { clock, queue, ask } = await open();
    queue.tasks = new Map([[':approval', taskOf(':approval', { waits: 'confirm' })]]);
    expect(await ask({ type: 'tasks' })).toEqual({ value: [] });
    await queue.store.add(':approval', clock.now(), {});
    expect(await ask({ type: 'tasks' })).toMatchObject({ value: [{ name: ':approval' }] });
  });

  it('shows an open question, whose task no user can run', async () => {
    const { clock, queue, ask } = await open();
    queue.tasks = new Map([['deploy', taskOf('deploy', { waits: 'confirm' })]]);
    const at = clock.now();
    const place = { channelId: 'c', messageId: 'm', task: 'deploy' };
    await queue.asks.add({ ...place, by: 'anyone', votes: {}, at, due: at + MINUTE });
    expect(await ask({ type: 'tasks' })).toMatchObject({
      value: [{ name: 'deploy', canRun: false, runs: [{ state: 'open' }] }],
    });
  });

  it('shows 50 runs of a task, and that there are more', async () => {
    const { clock, queue, ask } = await open();
    for (let index = 0; index < 51; index += 1)
      await queue.add('remind', clock.now() + index, { text: 'tea' });
    const answer = await ask({ type: 'tasks' });
    expect(answer).toMatchObject({ value: [{}, { name: 'remind', hasMore: true }] });
    expect(answer).toHaveProperty('value.1.runs.49');
    expect(answer).not.toHaveProperty('value.1.runs.50');
  });

  it('adds a run that is due now, and cancels it', async () => {
    const { clock, queue, ask } = await open();
    const added = await ask({
      type: 'task',
      action: 'run',
      name: 'remind',
      payload: { text: 'now' },
    });
    const [run] = await runsOf(queue);
    expect(run).toMatchObject({ dueMs: clock.now(), payload: { text: 'now' } });
    expect(added).toEqual({ value: { id: run?.id } });
    expect(await ask({ type: 'task', action: 'cancel', name: run?.id ?? '' })).toEqual({
      value: { done: true },
    });
    expect(await ask({ type: 'task', action: 'cancel', name: run?.id ?? '' })).toEqual({
      value: { done: false },
    });
    expect(await runsOf(queue)).toEqual([]);
  });

  it('shows the attempt of a run that is repeated, and the time it waits for', async () => {
    const { clock, queue, ask } = await open();
    await queue.add('remind', clock.now(), { text: 'tea' });
    const [run] = await runsOf(queue);
    if (!run) throw new Error('no run');
    await queue.store.change(run, { attempt: 2, notBefore: clock.now() + MINUTE });
    const pending = { state: 'pending', attempt: 2, at: '2026-01-05T08:01:00.000Z' };
    expect(await ask({ type: 'tasks' })).toMatchObject({ value: [{}, { runs: [pending] }] });
  });

  it('retries a run that failed', async () => {
    const { clock, queue, ask } = await open();
    const { id } = await queue.add('remind', clock.now(), { text: 'tea' });
    const [run] = await runsOf(queue);
    if (!run) throw new Error('no run');
    await queue.store.keepFailed(id, { ...run, reason: 'no such channel' });
    await queue.store.delete(run);
    const failed = { state: 'failed', reason: 'no such channel', payload: { text: 'tea' } };
    expect(await ask({ type: 'tasks' })).toMatchObject({ value: [{}, { runs: [failed] }] });
    expect(await ask({ type: 'task', action: 'retry', name: id })).toEqual({
      value: { done: true },
    });
    expect(await ask({ type: 'task', action: 'retry', name: id })).toEqual({
      value: { done: false },
    });
    expect(await runsOf(queue)).toMatchObject([{ payload: { text: 'tea' } }]);
  });

  it('pages through the storage by prefix, with the beginnings of long values', async () => {
    const { storage, ask } = await open();
    const long = JSON.stringify('x'.repeat(5_000));
    await storage.run(async (driver) => {
      for (let index = 100; index < 301; index += 1) await driver.set(`poll:${index}`, '1', null);
      await driver.set('poll:301', long, 5_000);
      await driver.set('other', '2', null);
    });
    const first = await ask({ type: 'storage', prefix: 'poll:' });
    expect(first).toMatchObject({ value: { hasMore: true } });
    expect(first).toHaveProperty('value.entries.199', {
      key: 'poll:299',
      value: '1',
      length: 1,
      expiresInMs: null,
    });
    expect(await ask({ type: 'storage', prefix: 'poll:', after: 'poll:299' })).toEqual({
      value: {
        entries: [
          { key: 'poll:300', value: '1', length: 1, expiresInMs: null },
          { key: 'poll:301', value: long.slice(0, 2_000), length: 5_002, expiresInMs: 5_000 },
        ],
        hasMore: false,
      },
    });
  });

  it('finds entries by a text or an id in their keys and values', async () => {
    const { storage, ask } = await open();
    const id = '01980000-0000-7000-8000-000000000001';
    await storage.run(async (driver) => {
      await driver.set('a', '"tea"', null);
      await driver.set('b:tea', '1', null);
      await driver.set('c', '2', null);
      await driver.set(`d:${id}:x`, '3', null);
      await driver.set('e', `["${id}"]`, null);
      await driver.set('f:01980000-0000-7000-8000-000000000002', '4', null);
    });
    const page = await ask({ type: 'storage', prefix: '', search: 'tea', ids: [id] });
    const keys = ['a', 'b:tea', `d:${id}:x`, 'e'];
    expect(page).toMatchObject({ value: { entries: keys.map((key) => ({ key })) } });
  });

  it('searches thousands of entries in steps, and ends after 100,000', async () => {
    const { storage, ask } = await open();
    storage.entries = async function* () {
      for (let index = 0; index <= 100_000; index += 1)
        yield { key: String(index).padStart(6, '0'), value: '1', expiresInMs: null };
    };
    let isAnswered = false;
    const answer = ask({ type: 'storage', prefix: '', search: '099999' }).finally(() => {
      isAnswered = true;
    });
    await turn();
    expect(isAnswered).toBe(false);
    expect(await answer).toMatchObject({ value: { entries: [{ key: '099999' }], hasMore: true } });
    expect(await ask({ type: 'storage', prefix: '', search: '100000' })).toEqual({
      value: { entries: [], hasMore: true },
    });
  });

  it('shows the file of a command', async () => {
    const { ask } = await open();
    const text = expect.stringContaining('shows the file of a command');
    expect(await ask({ type: 'source', command: 'me' })).toEqual({
      value: { file: 'bot-questions.test.ts', text },
    });
    expect(await ask({ type: 'source', command: '../me' })).toEqual({ value: undefined });
  });

  it('adds a run that is due later', async () => {
    const { queue, ask } = await open();
    await ask({ type: 'task', action: 'run', name: 'digest', at: '2026-01-06T08:00:00.000Z' });
    expect(await runsOf(queue, 'digest')).toMatchObject([
      { dueMs: Date.parse('2026-01-06T08:00:00Z') },
    ]);
  });

  it('sets and deletes entries, whose expiry does not change', async () => {
    const { storage, ask } = await open();
    await storage.run((driver) => driver.set('ban', '0', 500));
    const entries = async () => storage.run((driver) => driver.list({ prefix: '', limit: 9 }));
    expect(await ask({ type: 'set-entry', key: 'zone', value: 'UTC' })).toEqual({ value: 'UTC' });
    await ask({ type: 'set-entry', key: 'ban', value: [1] });
    expect(await entries()).toEqual([
      { key: 'ban', value: '[1]', expiresInMs: 500 },
      { key: 'zone', value: '"UTC"', expiresInMs: null },
    ]);
    await ask({ type: 'set-entry', key: 'ban' });
    expect(await entries()).toMatchObject([{ key: 'zone' }]);
  });

  it.each([
    [{ type: 'set-entry', key: '', value: 1 }, 'E_STORAGE_VALUE', 'key'],
    [{ type: 'task', action: 'run', name: 'remnd' }, 'E_TASK_CALL', 'remnd'],
    [{ type: 'task', action: 'run', name: 'remind', payload: {} }, 'E_TASK_CALL', 'text'],
  ] as const)('explains what is wrong with %j', async (question, code, text) => {
    const { ask } = await open();
    const message = expect.stringContaining(text);
    expect(await ask(question)).toMatchObject({ error: { code, message } });
  });

  it('reports a storage that cannot be read', async () => {
    const { storage, ask } = await open();
    await storage.close();
    expect(await ask({ type: 'storage', prefix: '' })).toMatchObject({
      error: { code: 'E_STORAGE_FAILED' },
    });
  });
});
