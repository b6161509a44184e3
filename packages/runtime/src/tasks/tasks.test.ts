import { clientErrors } from '@virgule/client/rest';
import { Cron } from 'croner';
import * as z from 'zod';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createTaskMachine,
  type TaskMachine,
  type TaskProcess,
} from '../../test/task-processes.js';
import type { EventContext } from '../events/event-context.js';
import type { Work } from '../command/observer.js';
import type { FrameworkEvents } from '../events/define-event.js';
import { defineTask, type TaskContext } from './define-task.js';
import { createMemoryDriver } from '../storage/memory-storage.js';
import type { Duration } from '../text/duration.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A task that notes its runs: the time since the start, and what `note` says about them. */
async function noting(note: (context: TaskContext<never>) => unknown = ({ payload }) => payload) {
  const machine = await createTaskMachine();
  const runs: [number, unknown][] = [];
  const run = (context: TaskContext): void =>
    void runs.push([machine.clock.elapsedMs, note(context as TaskContext<never>)]);
  return { machine, runs, run };
}

/** A promise that a test settles. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}

describe('a task that is called', () => {
  it.each<[Duration, number]>([
    ['0s', 0],
    ['1ms', 1],
    ['2h', 2 * HOUR],
    ['3d', 3 * DAY],
  ])('runs once after %s, with its payload', async (delay, ms) => {
    const { machine, runs, run } = await noting();
    const process = await machine.start({
      remind: defineTask({ payload: z.object({ text: z.string() }), run }),
    });
    await process.task('remind').in(delay, { text: 'tea' });
    if (ms > 0) await machine.clock.advance(ms - 1);
    expect(runs).toEqual([]);
    await machine.clock.advance(1 + 2 * DAY);
    expect(runs).toEqual([[ms, { text: 'tea' }]]);
  });

  it('runs at a time, and at once if that is past', async () => {
    const { machine, runs, run } = await noting(({ lateMs, dueAt }) => [lateMs, dueAt.getTime()]);
    const process = await machine.start({ x: defineTask({ run }) });
    const startMs = machine.clock.now();
    await process.task('x').at(new Date(startMs + MINUTE));
    await process.task('x').at(new Date(startMs - MINUTE));
    await machine.clock.advance(HOUR);
    expect(runs).toEqual([
      [0, [MINUTE, startMs - MINUTE]],
      [MINUTE, [0, startMs + MINUTE]],
    ]);
  });

  it('passes its handler what a command handler has', async () => {
    const { machine, runs, run } = await noting((context) => context);
    const process = await machine.start({ 'clean-up': defineTask({ run }) });
    const { id } = await process.task('clean-up').in('1s');
    await machine.clock.advance(SECOND);
    expect(runs[0]?.[1]).toMatchObject({
      task: 'clean-up',
      runId: id,
      attempt: 1,
      services: {},
      env: {},
      signal: expect.any(AbortSignal),
      storage: { get: expect.any(Function) },
      rest: { messages: expect.anything() },
      log: { info: expect.any(Function) },
      clock: { sleep: expect.any(Function) },
      channel: expect.any(Function),
    });
  });

  it('names its task and its run in the log', async () => {
    const machine = await createTaskMachine();
    const x = defineTask({ run: ({ log }) => log.info({ more: 1 }, 'hi') });
    const process = await machine.start({ x });
    const { id } = await process.task('x').in('1s');
    await machine.clock.advance(SECOND);
    expect(process.log.lines).toContainEqual({
      level: 'info',
      message: 'hi',
      details: { task: 'x', run: id, more: 1 },
    });
  });

  it('is logged when it is done, with its delay and its duration', async () => {
    const machine = await createTaskMachine();
    const x = defineTask({ run: ({ clock }) => clock.sleep('3s') });
    const process = await machine.start({ x });
    const { id } = await process.task('x').in('1s');
    await machine.clock.advance(3 * SECOND);
    expect(process.log.at('info')).not.toContain('task x done');
    await machine.clock.advance(SECOND);
    expect(process.log.lines.at(-1)).toEqual({
      level: 'info',
      message: 'task x done',
      details: { task: 'x', file: 'tasks/x.ts', run: id, attempt: 1, lateMs: 0, ms: 3_000 },
    });
  });

  it('sends to a channel', async () => {
    const machine = await createTaskMachine();
    const process = await machine.start({
      x: defineTask({ run: ({ channel }) => channel('c').send('hi') }),
    });
    await process.task('x').in('1s');
    await machine.clock.advance(SECOND);
    await process.bot.idle();
    expect(process.rest.lines.at(-1)).toBe('messages.send hi');
  });

  it('is listed until it ran, the next first, and can be canceled', async () => {
    const { machine, runs, run } = await noting();
    const process = await machine.start({ x: defineTask({ payload: z.string(), run }) });
    const later = await process.task('x').in('2h', 'later');
    const sooner = await process.task('x').in('1h', 'sooner');
    expect(await process.task('x').list()).toEqual([sooner, later]);
    expect(await process.task('x').list({ limit: 1, after: sooner.id })).toEqual([later]);
    expect(await process.task('x').list({ limit: Number.NaN })).toEqual([sooner]);
    expect(await process.task('x').cancel(later.id)).toBe(true);
    expect(await process.task('x').cancel(later.id)).toBe(false);
    await machine.clock.advance(DAY);
    expect(await process.task('x').cancel(sooner.id)).toBe(false);
    expect(await process.task('x').list()).toEqual([]);
    expect(runs).toEqual([[HOUR, 'sooner']]);
  });

  it('cannot be canceled while it is in progress', async () => {
    const machine = await createTaskMachine();
    const { open, opened } = gate();
    const process = await machine.start({ x: defineTask({ run: () => opened }) });
    const { id } = await process.task('x').in('1s');
    await machine.clock.advance(SECOND);
    expect(await process.task('x').cancel(id)).toBe(false);
    open();
    await process.bot.idle();
    expect(await process.task('x').list()).toEqual([]);
  });

  it.each([
    ['a payload of another type', 'E_TASK_CALL', { text: 1 }],
    ['a payload that JSON cannot hold', 'E_TASK_CALL', { text: '', at: new Date(0) }],
    ['a payload above 1 MiB', 'E_TASK_CALL', { text: 'x'.repeat(1_100_000) }],
    ['no payload', 'E_TASK_CALL', undefined],
  ])('refuses %s', async (_, code, payload) => {
    const machine = await createTaskMachine();
    const schema = z.looseObject({ text: z.string() });
    const process = await machine.start({ x: defineTask({ payload: schema, run: () => {} }) });
    await expect(process.task('x').in('1s', payload)).rejects.toMatchObject({ code });
    expect(await process.task('x').list()).toEqual([]);
  });

  it('refuses unknown names, invalid times and needless payloads', async () => {
    const machine = await createTaskMachine();
    const process = await machine.start({ remind: defineTask({ run: () => {} }) });
    await expect(process.task('remnd').in('1s')).rejects.toMatchObject({
      code: 'E_TASK_CALL',
      hint: expect.stringContaining('Did you mean remind?'),
    });
    await expect(process.task('remind').in('soon' as Duration)).rejects.toMatchObject({
      code: 'E_DURATION',
    });
    await expect(process.task('remind').at(new Date(Number.NaN))).rejects.toMatchObject({
      code: 'E_TASK_CALL',
    });
    await expect(process.task('remind').in('1s', 'text')).rejects.toMatchObject({
      code: 'E_TASK_CALL',
    });
  });

  it('takes null as no options', async () => {
    const machine = await createTaskMachine();
    const process = await machine.start({ x: defineTask({ run: () => {} }) });
    const { every, cron, list } = process.task('x');
    await every('1h', undefined, null as never);
    await cron('0 * * * *', undefined, null as never);
    expect(await list(null as never)).toHaveLength(2);
  });

  it('has no more runs in progress than its concurrency', async () => {
    const machine = await createTaskMachine();
    let running = 0;
    let most = 0;
    let count = 0;
    const process = await machine.start({
      x: defineTask({
        concurrency: 3,
        run: async ({ clock }) => {
          most = Math.max(most, (running += 1));
          await clock.sleep('1s');
          running -= 1;
          count += 1;
        },
      }),
    });
    for (let n = 0; n < 250; n += 1) await process.task('x').in('1s');
    await machine.clock.advance(SECOND + 84 * SECOND);
    expect([most, count]).toEqual([3, 250]);
  });

  it('begins in the order of its calls', async () => {
    const { machine, runs, run } = await noting();
    const process = await machine.start({ x: defineTask({ payload: z.int(), run }) });
    for (let n = 0; n < 50; n += 1) await process.task('x').in('1s', n);
    await machine.clock.advance(SECOND);
    expect(runs.map(([, n]) => n)).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  it('has one run in progress for each key of its order, in all processes, and then the next', async () => {
    const machine = await createTaskMachine();
    const seen: string[] = [];
    const inProgress = new Set<string>();
    const overlaps: string[] = [];
    const tasks = {
      x: defineTask({
        payload: z.object({ key: z.string(), n: z.int() }),
        order: ({ key }) => key,
        backoff: '1s',
        async run({ payload: { key, n }, attempt, clock }) {
          if (inProgress.has(key)) overlaps.push(`${key}${n}`);
          inProgress.add(key);
          await clock.sleep('1s');
          inProgress.delete(key);
          // A repetition keeps its place.
          if (n === 1 && attempt === 1) throw new Error('no luck');
          seen.push(`${key}${n}`);
        },
      }),
    };
    const first = await machine.start(tasks);
    await machine.start(tasks);
    for (let n = 0; n < 4; n += 1)
      for (const key of ['a', 'b']) await first.task('x').in('1s', { key, n });
    await machine.clock.advance(5 * MINUTE);
    expect(overlaps).toEqual([]);
    expect(seen.filter((run) => run.startsWith('a'))).toEqual(['a0', 'a1', 'a2', 'a3']);
    expect(seen.filter((run) => run.startsWith('b'))).toEqual(['b0', 'b1', 'b2', 'b3']);
  });

  it('begins a run whose payload the order cannot read, which the schema refuses', async () => {
    const machine = await createTaskMachine();
    const order = (payload: { readonly key: string }): string => payload.key.trim();
    const run = (): void => {};
    await machine.storage.set('tasks:run:x:0000000000000001:a', { payload: 7 });
    const process = await machine.start({
      x: defineTask({ payload: z.object({ key: z.string() }), order, run }),
    });
    await machine.clock.advance(SECOND);
    expect(await process.task('x').list()).toEqual([]);
  });
});

describe('thousands of runs', () => {
  it('that are due at once leave the process to others again and again', async () => {
    const { machine, runs, run } = await noting();
    const process = await machine.start({ x: defineTask({ run }) });
    for (let count = 0; count < 500; count += 1) await process.task('x').in('1s');
    let before = Infinity;
    machine.clock.setTimeout(() => (before = runs.length), SECOND);
    await machine.clock.advance(SECOND);
    expect(before).toBeLessThan(150);
    await machine.clock.advance(SECOND);
    expect(runs).toHaveLength(500);
  });

  it('that wait to be repeated are not read for each new one', async () => {
    let uses = 0;
    const machine = await createTaskMachine({
      latencyMs: () => {
        uses += 1;
        return 1;
      },
    });
    const runs: unknown[] = [];
    const x = defineTask({
      payload: z.string(),
      run: ({ payload }) => void runs.push(payload),
    });
    const due = String(machine.clock.now()).padStart(16, '0');
    const notBefore = machine.clock.now() + MINUTE;
    const waiting = { payload: 'waited', attempt: 2, notBefore, pauseMs: MINUTE };
    for (let count = 1_000; count < 2_000; count += 1)
      await machine.storage.set(`tasks:run:x:${due}:${count}`, waiting);
    const process = await machine.start({ x });
    await machine.clock.advance(SECOND);
    uses = 0;
    for (let count = 0; count < 50; count += 1) {
      void process.task('x').in('0s', 'new');
      await machine.clock.advance(100);
    }
    expect(runs).toHaveLength(50);
    // Adding, claiming, beginning, ending and releasing each, and two looks for it. The runs that wait are 10 pages.
    expect(uses).toBeLessThan(50 * 15);
    await machine.clock.advance(2 * MINUTE);
    expect(runs).toHaveLength(1_050);
  });

  it('that wait are not looked at again and again while nothing happens', async () => {
    let uses = 0;
    const machine = await createTaskMachine({
      latencyMs: () => {
        uses += 1;
        return 1;
      },
    });
    const due = String(machine.clock.now()).padStart(16, '0');
    const waiting = { attempt: 11, notBefore: machine.clock.now() + HOUR, pauseMs: HOUR };
    for (let count = 1_000; count < 1_500; count += 1)
      await machine.storage.set(`tasks:run:x:${due}:${count}`, waiting);
    await machine.start({ x: defineTask({ run: () => {} }) });
    await machine.clock.advance(5 * MINUTE);
    // 6 pages and the pauses between them, each 5 seconds.
    expect(uses).toBeLessThan(750);
  });

  it.each([
    { isPrivate: false, atLeast: 700, atMost: 750 },
    { isPrivate: true, atLeast: 60, atMost: 70 },
  ])(
    'of a storage with isPrivate: $isPrivate are looked for as often as others can change them',
    async ({ isPrivate, atLeast, atMost }) => {
      let uses = 0;
      const machine = await createTaskMachine({
        isPrivate,
        latencyMs: () => {
          uses += 1;
          return 0;
        },
      });
      const runs: number[] = [];
      const x = defineTask({ run: () => void runs.push(machine.clock.elapsedMs) });
      const process = await machine.start({ x });
      await machine.clock.advance(HOUR);
      expect(uses).toBeGreaterThan(atLeast);
      expect(uses).toBeLessThan(atMost);
      // The storage answers on the clock.
      const added = process.task('x').in('1s');
      await machine.clock.advance(SECOND);
      await added;
      expect(runs).toEqual([HOUR + SECOND]);
    },
  );
});

describe('tasks of a clock that is set and paused', () => {
  /** A process whose date the test sets. */
  async function start() {
    let uses = 0;
    const machine = await createTaskMachine({
      latencyMs: () => {
        uses += 1;
        return 0;
      },
    });
    let now = machine.clock.now;
    const clock = { ...machine.clock, now: () => now() };
    const runs: string[] = [];
    const run = ({ payload }: TaskContext<unknown>): void => void runs.push(String(payload));
    const tasks = { note: defineTask({ payload: z.string(), run }) };
    const process = await machine.start(tasks, {}, {}, clock);
    return {
      machine,
      clock,
      runs,
      uses: () => uses,
      async add(delay: Duration, payload: string) {
        const adding = process.task('note').in(delay, payload);
        await machine.clock.advance(0);
        await adding;
      },
      async set(nowMs: number, isPaused: boolean) {
        const { elapsedMs } = machine.clock;
        now = () => (isPaused ? nowMs : nowMs + machine.clock.elapsedMs - elapsedMs);
        process.clockWasSet(isPaused);
        await machine.clock.advance(0);
      },
    };
  }

  it('run at once when it is set ahead', async () => {
    const { clock, runs, add, set } = await start();
    await add('2h', 'a');
    await set(clock.now() + 2 * HOUR, false);
    expect(runs).toEqual(['a']);
  });

  it('wait while it is paused, without looks again and again, unless they are due now', async () => {
    const { machine, clock, runs, add, set, uses } = await start();
    const nowMs = clock.now();
    await set(nowMs, true);
    await add('1s', 'later');
    await add('0s', 'now');
    await machine.clock.advance(10);
    expect(runs).toEqual(['now']);
    const before = uses();
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual(['now']);
    expect(uses() - before).toBeLessThan(20);
    await set(nowMs + SECOND, true);
    expect(runs).toEqual(['now', 'later']);
  });
});

describe('a task with a schedule', () => {
  it.each<[string, Parameters<typeof defineTask>[0], number[]]>([
    ['every 6 h', { every: '6h', run: () => {} }, [6, 12, 18, 24]],
    ['a cron expression', { cron: '0 7,19 * * *', run: () => {} }, [7, 19]],
    [
      'a cron expression in a time zone',
      { cron: '0 7,19 * * *', timeZone: 'Asia/Tokyo', run: () => {} },
      [10, 22],
    ],
  ])('runs at %s', async (_, definition, hours) => {
    const { machine, runs, run } = await noting(({ lateMs }) => lateMs);
    await machine.start({ digest: { ...definition, run } });
    await machine.clock.advance(DAY);
    expect(runs).toEqual(hours.map((hour) => [hour * HOUR, 0]));
  });

  it('runs once, late, after times that were missed', async () => {
    const { machine, runs, run } = await noting(({ lateMs }) => lateMs);
    const first = await machine.start({ digest: defineTask({ every: '1h', run }) });
    await machine.clock.advance(90 * MINUTE);
    await first.bot.close();
    await machine.clock.advance(5 * HOUR);
    await machine.start({ digest: defineTask({ every: '1h', run }) });
    await machine.clock.advance(HOUR);
    expect(runs).toEqual([
      [HOUR, 0],
      [6.5 * HOUR, 4.5 * HOUR],
      [7 * HOUR, 0],
    ]);
  });

  it('skips a run that is later than maxLate', async () => {
    const { machine, runs, run } = await noting(({ lateMs }) => lateMs);
    const task = defineTask({ every: '1h', maxLate: '10m', run });
    const first = await machine.start({ digest: task });
    await first.bot.close();
    await machine.clock.advance(1.5 * HOUR);
    const second = await machine.start({ digest: task });
    await machine.clock.advance(HOUR);
    expect(runs).toEqual([[2 * HOUR, 0]]);
    expect(second.log.at('warn')).toEqual(['skipped a run of digest: it was due 30m ago']);
  });

  it('counts from its change when the schedule changes, and only then', async () => {
    const { machine, runs, run } = await noting(() => 0);
    const process = await machine.start({ digest: defineTask({ every: '1h', run }) });
    await machine.clock.advance(30 * MINUTE);
    await process.reload({ digest: defineTask({ every: '1h', run }) });
    await machine.clock.advance(30 * MINUTE);
    expect(runs.map(([ms]) => ms)).toEqual([HOUR]);
    await process.reload({ digest: defineTask({ every: '10m', run }) });
    await machine.clock.advance(10 * MINUTE);
    expect(runs.map(([ms]) => ms)).toEqual([HOUR, HOUR + 10 * MINUTE]);
    await process.reload({});
    await machine.clock.advance(DAY);
    expect(runs).toHaveLength(2);
  });

  it.each<[string, Parameters<typeof defineTask>[0]]>([
    ['every 1 h', { every: '1h', run: () => {} }],
    ['a cron expression', { cron: '0 * * * *', run: () => {} }],
  ])('runs at %s after a clock that was years ahead was set', async (_, definition) => {
    const { machine, runs, run } = await noting(() => 0);
    machine.clock.shiftWallClock(3_650 * DAY);
    await machine.start({ digest: { ...definition, run } });
    await machine.clock.advance(MINUTE);
    machine.clock.shiftWallClock(-3_650 * DAY);
    await machine.clock.advance(2.5 * HOUR);
    expect(runs.length).toBe(2);
  });

  it('computes the next time of a cron expression once, and not at each look', async () => {
    const nextRun = vi.spyOn(Cron.prototype, 'nextRun');
    onTestFinished(() => nextRun.mockRestore());
    const { machine, runs, run } = await noting(() => 0);
    await machine.start({ digest: defineTask({ cron: '0 12 * * *', run }) });
    await machine.clock.advance(DAY);
    expect([runs.length, nextRun.mock.calls.length < 20]).toEqual([1, true]);
  });

  it('continues when the storage has lost its next time', async () => {
    const { machine, runs, run } = await noting(() => 0);
    await machine.start({ digest: defineTask({ every: '1h', run }) });
    await machine.clock.advance(90 * MINUTE);
    for (const { key } of await machine.entries()) await machine.storage.delete(key);
    await machine.clock.advance(2 * HOUR);
    expect(runs).toHaveLength(2);
  });

  it('runs once at a time of two processes whose clocks differ by minutes', async () => {
    const { machine, runs, run } = await noting(() => 0);
    const task = defineTask({ cron: '0 * * * *', run });
    const { clock } = machine;
    await machine.start({ digest: task });
    await machine.start(
      { digest: task },
      {},
      {},
      { ...clock, now: () => clock.now() - 5 * MINUTE },
    );
    await clock.advance(2.5 * HOUR);
    expect(runs.map(([ms]) => ms)).toEqual([HOUR, 2 * HOUR]);
  });

  it('can be called as well', async () => {
    const { machine, runs, run } = await noting(() => 0);
    const process = await machine.start({ digest: defineTask({ every: '1h', run }) });
    await process.task('digest').in('1m');
    await machine.clock.advance(HOUR);
    expect(runs.map(([ms]) => ms)).toEqual([MINUTE, HOUR]);
  });
});

describe('a run that fails', () => {
  it('is repeated with growing pauses, and kept for a week when it has failed for good', async () => {
    const { machine, runs, run } = await noting(({ attempt, runId }) => [attempt, runId]);
    const process = await machine.start({
      x: defineTask({
        payload: z.string(),
        retries: 2,
        run: (context) => {
          run(context);
          throw new Error('no luck');
        },
      }),
    });
    const { id } = await process.task('x').in('1s', 'text');
    await machine.clock.advance(HOUR);
    expect(runs).toEqual([
      [SECOND, [1, id]],
      [11 * SECOND, [2, id]],
      [31 * SECOND, [3, id]],
    ]);
    expect(process.log.at('error')).toEqual(Array(3).fill('tasks/x.ts failed: no luck'));
    expect(await process.task('x').list()).toEqual([]);
    const kept = { key: `tasks:failed:${id}`, value: expect.objectContaining({ payload: 'text' }) };
    expect(await machine.entries()).toEqual([kept]);
    await machine.clock.advance(7 * DAY);
    expect(await machine.entries()).toEqual([]);
  });

  it('is kept with a reason without secrets, and with the payload that a retry needs', async () => {
    const redact = (text: string): string => text.replaceAll('sk-4711', '[redacted]');
    const { machine, runs, run } = await noting();
    const leaky = defineTask({
      payload: z.object({ key: z.string() }),
      retries: 0,
      run: (context) => {
        run(context);
        throw new Error('no sk-4711');
      },
    });
    const process = await machine.start({ x: leaky }, { redact });
    const payload = { key: 'sk-4711' };
    const { id } = await process.task('x').in('1s', payload);
    await machine.clock.advance(HOUR);
    const shown = { payload: { key: '[redacted]' } };
    const stored = await machine.storage.get(`tasks:failed:${id}`);
    expect(stored).toMatchObject({ payload, shown, reason: 'no [redacted]' });
    await process.retry(id);
    await machine.clock.advance(HOUR);
    expect(runs.map(([, saw]) => saw)).toEqual([payload, payload]);
  });

  it('waits for the platform for a day without counting, then has failed after its retries', async () => {
    const { machine, runs, run } = await noting(({ attempt }) => attempt);
    const unreachable = clientErrors.E_UNREACHABLE({
      endpoint: 'messages.send',
      route: 'POST',
      attempts: 1,
      elapsedMs: 0,
      phase: 'connecting',
      address: 'https://chat.test',
      reason: 'ECONNREFUSED',
    });
    const process = await machine.start({
      x: defineTask({
        retries: 1,
        run: (context) => {
          run(context);
          throw new Error('not sent', { cause: unreachable });
        },
      }),
    });
    process.rest.always('users.me', unreachable);
    await process.task('x').in('0s');
    await machine.clock.advance(2 * DAY);
    const [first, second, third, ...others] = runs.map(([ms]) => ms);
    expect([first, second, third]).toEqual([0, 10 * SECOND, 20 * SECOND]);
    // 10 s, doubled up to 5 minutes, for a day.
    expect(others.length).toBeGreaterThan(280);
    expect(others.length).toBeLessThan(300);
    expect(runs.filter(([, attempt]) => attempt === 2)).toHaveLength(1);
    expect(runs.at(-1)?.[0]).toBeLessThan(DAY + HOUR);
    expect(process.log.at('error')).toHaveLength(2);
    expect(await machine.storage.list('tasks:failed:')).toHaveLength(1);
  });

  it('ends at its timeout', async () => {
    const machine = await createTaskMachine();
    const reasons: unknown[] = [];
    const process = await machine.start({
      x: defineTask({
        timeout: '5s',
        retries: 0,
        run: ({ signal }) =>
          new Promise(() => (signal.onabort = () => reasons.push(signal.reason))),
      }),
    });
    await process.task('x').in('1s');
    await machine.clock.advance(6 * SECOND);
    expect(reasons).toMatchObject([{ code: 'E_TASK_TIMEOUT' }]);
    expect(process.log.at('error')).toEqual([expect.stringContaining('timeout of 5s')]);
  });

  it('does not stop a schedule', async () => {
    const { machine, runs, run } = await noting(({ attempt }) => attempt);
    await machine.start({
      x: defineTask({
        every: '1h',
        retries: 1,
        run: (context) => {
          run(context);
          throw new Error('no luck');
        },
      }),
    });
    await machine.clock.advance(2 * HOUR);
    expect(runs).toEqual([
      [HOUR, 1],
      [HOUR + 10 * SECOND, 2],
      [2 * HOUR, 1],
    ]);
  });

  it('is listed when it is done, with the newest 100 of its task', async () => {
    const machine = await createTaskMachine({ isPolled: false });
    const x = defineTask({ run: () => {} });
    const processes = [await machine.start({ x }), await machine.start({ x })];
    for (let n = 0; n < 120; n += 1) await processes[0]?.task('x').in('1m');
    await machine.clock.advance(HOUR);
    const done = (await machine.storage.get<{ id: string }[]>('tasks:done:x')) ?? [];
    expect(done).toHaveLength(100);
    expect(new Set(done.map(({ id }) => id)).size).toBe(100);
    await machine.clock.advance(8 * 24 * HOUR);
    expect(await machine.storage.list('tasks:')).toEqual([]);
  });

  it('is an error event', async () => {
    const machine = await createTaskMachine();
    const sources: unknown[] = [];
    const listener = {
      event: 'error' as const,
      run: ({ data }: EventContext<FrameworkEvents['error']>) => sources.push(data.source),
    };
    const x = defineTask({ retries: 0, run: () => Promise.reject(new Error('no luck')) });
    const process = await machine.start({ x }, {}, { 'events/error.ts': { default: listener } });
    await process.task('x').in('1s');
    await machine.clock.advance(MINUTE);
    expect(sources).toEqual(['tasks/x.ts']);
  });

  it('keeps a payload that no longer fits, without a repetition', async () => {
    const { machine, runs, run } = await noting();
    const before = await machine.start({ x: defineTask({ payload: z.string(), run }) });
    const { id } = await before.task('x').in('1h', 'text');
    await before.bot.close();
    const process = await machine.start({ x: defineTask({ payload: z.number(), run }) });
    await machine.clock.advance(2 * HOUR);
    expect(runs).toEqual([]);
    expect(process.log.at('error')).toEqual([expect.stringContaining('The payload of the task x')]);
    expect(await machine.storage.get(`tasks:failed:${id}`)).toMatchObject({ payload: 'text' });
  });
});

describe('tasks and processes', () => {
  it('waits for runs when the bot ends, then stops them; those begin again in the next process', async () => {
    const { machine, runs, run } = await noting(({ attempt, runId }) => [attempt, runId]);
    const ends: string[] = [];
    const slow = defineTask({
      run: async (context) => {
        run(context);
        await context.clock.sleep('30s').then(
          () => ends.push('done'),
          () => ends.push('stopped'),
        );
        context.signal.throwIfAborted();
      },
    });
    const first = await machine.start({ slow }, { drainMs: 5_000 });
    const { id } = await first.task('slow').in('1s');
    await machine.clock.advance(SECOND);
    const closing = first.bot.close();
    await machine.clock.advance(10 * SECOND);
    await closing;
    expect(ends).toEqual(['stopped']);
    await machine.start({ slow });
    await machine.clock.advance(40 * SECOND);
    expect(ends).toEqual(['stopped', 'done']);
    expect(runs.map(([, note]) => note)).toEqual([
      [1, id],
      [1, id],
    ]);
    expect(await machine.entries()).toEqual([]);
  });

  it('begins no run once the bot ends', async () => {
    const { machine, runs, run } = await noting();
    const { open, opened } = gate();
    const slow = defineTask({ concurrency: 1, run: (context) => (run(context), opened) });
    const first = await machine.start({ slow }, { drainMs: 5_000 });
    for (let n = 0; n < 5; n += 1) await first.task('slow').in('1s');
    await machine.clock.advance(SECOND);
    const closing = first.bot.close();
    await machine.clock.advance(SECOND);
    open();
    await machine.clock.advance(10 * SECOND);
    await closing;
    expect(runs).toHaveLength(1);
    await machine.start({ slow });
    await machine.clock.advance(MINUTE);
    expect(runs).toHaveLength(5);
  });

  it('runs each of many once, on both processes', async () => {
    const machine = await createTaskMachine();
    const by = new Map<string, string[]>();
    const task = (name: string) =>
      defineTask({
        payload: z.number(),
        concurrency: 5,
        run: async ({ payload, clock }) => {
          by.set(String(payload), [...(by.get(String(payload)) ?? []), name]);
          await clock.sleep('100ms');
        },
      });
    const one = await machine.start({ x: task('one') });
    await machine.start({ x: task('two') });
    for (let n = 0; n < 300; n += 1) await one.task('x').in('20s', n);
    await machine.clock.advance(HOUR);
    expect(by.size).toBe(300);
    expect([...by.values()].filter((processes) => processes.length !== 1)).toEqual([]);
    expect(new Set([...by.values()].flat())).toEqual(new Set(['one', 'two']));
  });

  it('reports a run that another process has begun meanwhile, and none that only paused', async () => {
    const { machine, runs, run } = await noting(() => 0);
    const hanging = defineTask({ run: (context) => (run(context), new Promise<void>(() => {})) });
    const first = await machine.start({ x: hanging });
    await first.task('x').in('1s');
    await machine.clock.advance(10 * SECOND);
    // A laptop that was closed.
    machine.clock.stall(5 * MINUTE);
    await machine.clock.advance(MINUTE);
    expect(first.log.at('warn')).toEqual([]);
    machine.clock.stall(5 * MINUTE);
    // Started before the timers of the first one fire.
    await machine.start({ x: hanging });
    await machine.clock.advance(MINUTE);
    expect(runs.length).toBe(2);
    expect(first.log.at('warn')).toEqual([expect.stringContaining('another process has begun')]);
  });

  it.each(['killed', 'failed'] as const)(
    'begins a run again that %s while the clock was hours ahead, once it is set right',
    async (how) => {
      const { machine, runs, run } = await noting(({ attempt }) => attempt);
      let kill = (): void => {};
      const failing = defineTask({
        backoff: '3s',
        run() {
          if (how === 'failed') throw new Error('no luck');
          kill();
          return new Promise<void>(() => {});
        },
      });
      machine.clock.shiftWallClock(3 * HOUR);
      const process = await machine.start({ x: failing });
      kill = () => process.kill();
      const { id } = await process.task('x').in('1s');
      await machine.clock.advance(SECOND + 1);
      machine.clock.shiftWallClock(-3 * HOUR);
      kill();
      // A storage in a file sets the expiry right.
      await machine.storage.delete(`tasks:claim:${id}`);
      const next = await machine.start({ x: defineTask({ run }) });
      await next.task('x').in('1h');
      await machine.clock.advance(MINUTE);
      expect(runs.map(([, attempt]) => attempt)).toEqual([how === 'failed' ? 2 : 1]);
    },
  );

  it('fails if the upgrade of its payload takes longer than its timeout', async () => {
    const { machine, runs, run } = await noting();
    const process = await machine.start({ x: defineTask({ payload: z.string(), run }) });
    await process.task('x').in('1m', 'old');
    // The types refuse an async function, JavaScript accepts it.
    const upgrade = () => new Promise(() => {}) as never;
    await process.reload({
      x: defineTask({ payload: z.number(), timeout: '5s', upgrade, run }),
    });
    await machine.clock.advance(2 * MINUTE);
    expect(runs).toEqual([]);
    expect(process.log.at('error')).toEqual([expect.stringContaining('its timeout')]);
    expect(await machine.storage.list('tasks:failed:')).toHaveLength(1);
  });

  it('begins at once after a restart if its process on this machine is gone', async () => {
    const { machine, runs, run } = await noting(({ runId }) => runId);
    const process = await machine.start({ x: defineTask({ run: () => new Promise(() => {}) }) });
    const { id } = await process.task('x').in('1s');
    await machine.clock.advance(2 * SECOND);
    process.kill();
    const claim = await machine.storage.get<{ pid: number }>(`tasks:claim:${id}`);
    const started = await machine.start({ x: defineTask({ run }) });
    await machine.clock.advance(SECOND);
    expect(runs).toEqual([]);
    started.kill();
    await machine.storage.set(`tasks:claim:${id}`, { ...claim, pid: 2 ** 30 }, { ttl: '30s' });
    await machine.start({ x: defineTask({ run }) });
    await machine.clock.advance(SECOND);
    expect(runs).toMatchObject([[expect.anything(), id]]);
  });

  it('begins a repetition in time though the clock was set back while it waits', async () => {
    const { machine, runs, run } = await noting(({ attempt }) => attempt);
    const process = await machine.start({
      x: defineTask({
        backoff: '30s',
        retries: 1,
        run: (context) => {
          run(context);
          throw new Error('no luck');
        },
      }),
    });
    await process.task('x').in('1s');
    await machine.clock.advance(10 * SECOND);
    machine.clock.shiftWallClock(-5 * HOUR);
    await machine.clock.advance(MINUTE);
    expect(runs.map(([, attempt]) => attempt)).toEqual([1, 2]);
  });

  it('begins a run again whose process is gone, within a minute', async () => {
    const { machine, runs, run } = await noting(({ runId }) => runId);
    const hanging = defineTask({ run: (context) => (run(context), new Promise<void>(() => {})) });
    const first = await machine.start({ x: hanging });
    const { id } = await first.task('x').in('1s');
    await machine.clock.advance(10 * SECOND);
    const second = await machine.start({ x: defineTask({ run }) });
    await machine.clock.advance(10 * MINUTE);
    expect(runs).toEqual([[SECOND, id]]);
    first.kill();
    await machine.clock.advance(MINUTE);
    expect(runs).toEqual([
      [SECOND, id],
      [expect.any(Number), id],
    ]);
    expect(second.log.at('error')).toEqual([]);
    expect(await machine.entries()).toEqual([]);
  });

  it('begins a run again whose process is gone, though the clock was set back before a pending run', async () => {
    // The claims expire by another clock, as those in Redis.
    const driver = createMemoryDriver((): number => machine.clock.elapsedMs);
    const machine: TaskMachine = await createTaskMachine({ driver });
    const run = vi.fn<() => void>();
    const hanging = defineTask({ run: () => new Promise<void>(() => {}) });
    const first = await machine.start({ x: hanging });
    await first.task('x').in('1s');
    await machine.clock.advance(10 * SECOND);
    await machine.start({ x: defineTask({ run }) });
    await machine.clock.advance(MINUTE);
    machine.clock.shiftWallClock(-5 * HOUR);
    await first.task('x').in('1h');
    first.kill();
    await machine.clock.advance(MINUTE);
    expect(run).toHaveBeenCalledOnce();
  });

  it('keeps and reports runs whose file is gone', async () => {
    const { machine, runs, run } = await noting();
    const before = await machine.start({ remind: defineTask({ run }) });
    const { id } = await before.task('remind').in('1h');
    await before.bot.close();
    const after = await machine.start({ other: defineTask({ run }) });
    await machine.clock.advance(DAY);
    expect(after.log.at('warn')).toEqual([expect.stringContaining('the task remind are pending')]);
    expect(await machine.entries()).toMatchObject([{ key: `tasks:run:${id}` }]);
    await after.reload({ another: defineTask({ run }) });
    await machine.clock.advance(MINUTE);
    expect(after.log.at('warn')).toHaveLength(1);
    await after.reload({ remind: defineTask({ run }) });
    await machine.clock.advance(MINUTE);
    expect(runs).toHaveLength(1);
  });

  it('reads entries that are none as a payload, which the schema refuses', async () => {
    const { machine, runs, run } = await noting();
    await machine.storage.set('tasks:run:x:by-hand', ['odd']);
    await machine.storage.set('tasks:run:%zz:by-hand', 1);
    const process = await machine.start({ x: defineTask({ payload: z.string(), run }) });
    await machine.clock.advance(MINUTE);
    expect([runs, process.log.at('error').length]).toEqual([[], 1]);
    // No task has such a name.
    const [left, ...others] = await machine.storage.list('tasks:run:');
    expect([left?.key, others]).toEqual(['tasks:run:%zz:by-hand', []]);
    expect(process.log.at('warn')).toEqual([expect.stringContaining('the task %zz are pending')]);
  });

  it('neither repeats nor loses runs while the storage takes no writes', async () => {
    const { machine, runs, run } = await noting();
    const process = await machine.start({
      x: defineTask({
        payload: z.string(),
        run: (context) => {
          machine.isFull = true;
          run(context);
        },
      }),
    });
    await process.task('x').in('1s', 'first');
    await process.task('x').in('2s', 'second');
    await machine.clock.advance(HOUR);
    expect(runs).toEqual([[SECOND, 'first']]);
    expect(process.log.at('error')).toHaveLength(2);
    machine.isFull = false;
    await machine.clock.advance(MINUTE);
    expect(runs.map(([, text]) => text)).toEqual(['first', 'second']);
  });
});

describe('a run that ends its process each time', () => {
  it.each(['1h', undefined] as const)('is set aside after three times: every %s', async (every) => {
    const machine = await createTaskMachine();
    let process: TaskProcess | undefined;
    const logs: TaskProcess['log'][] = [];
    const ended: Pick<Work, 'kind' | 'result'>[] = [];
    const sources: unknown[] = [];
    const listener = {
      event: 'error' as const,
      run: ({ data }: EventContext<FrameworkEvents['error']>) => sources.push(data.source),
    };
    let begun = 0;
    const run = (): Promise<never> => {
      begun += 1;
      process?.kill();
      return new Promise(() => {});
    };
    const restart = async (): Promise<TaskProcess> => {
      const tasks = { x: defineTask(every ? { every, run } : { run }) };
      const observers = [{ ended: ({ kind, result }: Work) => void ended.push({ kind, result }) }];
      process = await machine.start(
        tasks,
        { observers },
        { 'events/error.ts': { default: listener } },
      );
      logs.push(process.log);
      return process;
    };
    const first = await restart();
    if (!every) await first.task('x').in('1h');
    await machine.clock.advance(HOUR);
    for (let time = 1; time <= 4; time += 1) {
      await restart();
      await machine.clock.advance(40 * SECOND);
    }
    expect(begun).toBe(3);
    const errors = logs.flatMap((log) => log.at('error'));
    expect(errors).toEqual([expect.stringContaining('ended its process')]);
    expect(sources).toEqual(['tasks/x.ts']);
    expect(ended.filter(({ kind }) => kind === 'task')).toEqual([
      { kind: 'task', result: 'failed' },
    ]);
    const reason = expect.stringContaining('3 times');
    expect(await machine.storage.list('tasks:failed:')).toMatchObject([{ value: { reason } }]);
    // The next time of a schedule is another run.
    await machine.clock.advance(HOUR);
    expect(begun).toBe(every ? 4 : 3);
  });

  it('takes none with it that were in progress at the same time', async () => {
    const machine = await createTaskMachine();
    const done: number[] = [];
    let process: TaskProcess | undefined;
    const x = defineTask({
      payload: z.int(),
      async run({ payload, clock }) {
        await clock.sleep(payload === 0 ? '1s' : '3s');
        if (payload > 0) return void done.push(payload);
        process?.kill();
        return new Promise(() => {});
      },
    });
    process = await machine.start({ x });
    for (let payload = 0; payload < 6; payload += 1) await process.task('x').in('1s', payload);
    for (let time = 1; time <= 5; time += 1) {
      await machine.clock.advance(40 * SECOND);
      process = await machine.start({ x });
    }
    await machine.clock.advance(40 * SECOND);
    expect(done.toSorted((one, other) => one - other)).toEqual([1, 2, 3, 4, 5]);
    expect(await machine.storage.list('tasks:failed:')).toMatchObject([{ value: { payload: 0 } }]);
  });

  it('is not one that a shutdown has aborted', async () => {
    const machine = await createTaskMachine();
    let begun = 0;
    const tasks = {
      x: defineTask({
        run: ({ signal }) => {
          begun += 1;
          return new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
      }),
    };
    let process = await machine.start(tasks);
    await process.task('x').in('0s');
    for (let time = 1; time <= 5; time += 1) {
      await machine.clock.advance(SECOND);
      expect(begun).toBe(time);
      const closing = process.bot.close();
      await machine.clock.advance(MINUTE);
      await closing;
      process = await machine.start(tasks);
    }
    expect(process.log.at('error')).toEqual([]);
  });
});
