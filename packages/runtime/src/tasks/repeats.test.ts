import fc from 'fast-check';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { runs as propertyRuns } from '../../../core/test/fixtures/property-runs.js';
import { createTaskMachine, type TaskProcess } from '../../test/task-processes.js';
import { defineTask, type TaskContext } from './define-task.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

type Digest = Awaited<ReturnType<typeof open>>['digest'];

/** A process whose task notes the time and the payload of each run. */
async function open(more: object = {}) {
  const machine = await createTaskMachine();
  const runs: [number, unknown][] = [];
  const digest = defineTask({
    payload: z.string().optional(),
    run: ({ payload }) => void runs.push([machine.clock.elapsedMs, payload]),
    ...more,
  });
  const process = await machine.start({ digest });
  return { machine, runs, process, digest: process.task('digest'), definition: digest };
}

describe('a repeat', () => {
  it('runs at an interval with its payload, and is listed with its next time', async () => {
    const { machine, runs, digest } = await open();
    const startMs = machine.clock.now();
    const first = await digest.every('1h', 'a', { key: 'c' });
    const repeats = { every: HOUR, key: 'c' };
    expect(first).toEqual({
      id: expect.any(String),
      at: new Date(startMs + HOUR),
      payload: 'a',
      repeats,
    });
    await machine.clock.advance(2.5 * HOUR);
    expect(runs).toEqual([
      [HOUR, 'a'],
      [2 * HOUR, 'a'],
    ]);
    expect(await digest.list()).toMatchObject([{ at: new Date(startMs + 3 * HOUR), repeats }]);
  });

  it.each([
    ['an interval', 365 * DAY, (digest: Digest) => digest.every('1h', 'a')],
    ['a cron expression', 365 * DAY, (digest: Digest) => digest.cron('0 * * * *', 'a')],
    ['an interval', 10 * HOUR, (digest: Digest) => digest.every('1h', 'a')],
  ])('runs at %s after a clock that was %i ms ahead was set', async (_, aheadMs, repeat) => {
    const { machine, runs, digest } = await open();
    await repeat(digest);
    await machine.clock.advance(MINUTE);
    machine.clock.shiftWallClock(aheadMs);
    await machine.clock.advance(2 * MINUTE);
    machine.clock.shiftWallClock(-aheadMs);
    runs.length = 0;
    await machine.clock.advance(4.5 * HOUR);
    expect(runs).toHaveLength(4);
    expect(await machine.entries()).toHaveLength(2);
  });

  it('replaces the repeat with its key, and no other', async () => {
    const { machine, runs, digest } = await open();
    await digest.every('1h', 'old', { key: 'c' });
    await digest.every('1h', 'other', { key: 'd' });
    await digest.every('1h', 'new', { key: 'c' });
    await digest.cron('30 * * * *', 'newest', { key: 'c' });
    await machine.clock.advance(HOUR);
    expect(runs.map(([, payload]) => payload)).toEqual(['newest', 'other']);
    expect(await machine.entries()).toHaveLength(4);
  });

  it('runs at the time of the last of two calls, however close they are', async () => {
    for (let pauseMs = 0; pauseMs < 20; pauseMs += 1) {
      const machine = await createTaskMachine({ latencyMs: () => 1, isPolled: false });
      let runs = 0;
      const digest = defineTask({ run: () => void (runs += 1) });
      const handle = (await machine.start({ digest })).task('digest');
      const hourly = (minute: number) => handle.cron(`${minute} * * * *`, undefined, { key: 'c' });
      const calls = [hourly(30)];
      await machine.clock.advance(SECOND);
      calls.push(hourly(20));
      await machine.clock.advance(pauseMs);
      calls.push(hourly(30));
      await machine.clock.advance(2 * HOUR);
      await Promise.all(calls);
      expect([pauseMs, runs]).toEqual([pauseMs, 2]);
    }
  });

  it('has a new key if none is given', async () => {
    const { machine, runs, digest } = await open();
    const { repeats } = await digest.every('1h', 'a');
    await digest.every('1h', 'b');
    expect(await digest.cancel(repeats?.key ?? '')).toBe(true);
    await machine.clock.advance(HOUR);
    expect(runs.map(([, payload]) => payload)).toEqual(['b']);
  });

  it('follows its time zone over a change of daylight saving time', async () => {
    const { machine, runs, digest } = await open();
    machine.clock.shiftWallClock(Date.parse('2026-03-28T00:00:00Z') - machine.clock.now());
    await digest.cron('0 9 * * *', 'a', { timeZone: 'Europe/Berlin' });
    await machine.clock.advance(2 * DAY);
    expect(runs.map(([ms]) => ms)).toEqual([8 * HOUR, DAY + 7 * HOUR]);
  });

  it.each(['key', 'id'] as const)(
    'is canceled by its %s while it runs: no run follows',
    async (by) => {
      let end = (): void => {};
      const { machine, digest } = await open({
        run: () => new Promise<void>((resolve) => (end = resolve)),
      });
      const { id } = await digest.every('1h', undefined, { key: 'c' });
      await machine.clock.advance(HOUR);
      expect(await digest.cancel(by === 'key' ? 'c' : id)).toBe(true);
      expect(await digest.cancel(by === 'key' ? 'c' : id)).toBe(false);
      end();
      await machine.clock.advance(DAY);
      expect(await machine.entries()).toEqual([]);
    },
  );

  it('does not overlap when it is replaced while it runs', async () => {
    let [running, most] = [0, 0];
    const { machine, digest, runs } = await open({
      run: async ({ clock, payload }: TaskContext) => {
        most = Math.max(most, (running += 1));
        await clock.sleep('100s');
        running -= 1;
        runs.push([machine.clock.now(), payload]);
      },
    });
    await digest.every('1h', 'a', { key: 'c' });
    await machine.clock.advance(HOUR);
    for (const next of ['b', 'c']) {
      await digest.every('1s', next, { key: 'c' });
      await machine.clock.advance(5_000);
    }
    await machine.clock.advance(5 * MINUTE);
    expect([most, runs.map(([, payload]) => payload)]).toEqual([1, ['a', 'c', 'c']]);
  });

  it('that is left over of a killed process does not shorten a list', async () => {
    const { machine, digest } = await open();
    await digest.every('1h', 'a', { key: 'c' });
    await digest.in('3h', 'called');
    await machine.storage.set(`tasks:run:digest:${'0'.repeat(16)}:@gone`, {});
    expect(await digest.list({ limit: 2 })).toHaveLength(2);
  });

  it('continues after a run that fails for good', async () => {
    const { machine, digest } = await open({
      retries: 0,
      run: () => Promise.reject(new Error('no')),
    });
    await digest.every('1h');
    await machine.clock.advance(2 * HOUR);
    expect(await machine.storage.list('tasks:failed:')).toHaveLength(2);
    expect(await digest.list()).toHaveLength(1);
  });

  it('whose time zone is unknown here waits, and does not hold up others', async () => {
    const { machine, runs, process, digest, definition } = await open();
    for (const key of ['a', 'b', '\uD83D'])
      await digest.cron('0 * * * *', key, { key, timeZone: 'Europe/Berlin' });
    const key = 'tasks:repeat:digest:a';
    const known = await machine.storage.get<object>(key);
    const timing = { cron: '0 * * * *', timeZone: 'Mars/Base' };
    await machine.storage.set(key, { ...known, timing } as never);
    const waiting = { payload: 'a', repeats: { ...timing, key: 'a' } };
    expect(await digest.list()).toContainEqual(expect.objectContaining(waiting));
    await machine.clock.advance(3.5 * HOUR);
    expect(await digest.list()).toContainEqual(expect.objectContaining(waiting));
    expect(process.log.at('warn')).toEqual([
      'the repeat "a" of the task digest waits: Node.js does not know its time zone: cron 0 * * * * Mars/Base',
    ]);
    expect(runs.map(([, payload]) => payload)).toEqual(Array(3).fill(['\uD83D', 'b']).flat());
    expect(process.log.at('error')).toEqual([]);
    await process.bot.close();
    await machine.storage.set(key, known as never);
    await machine.start({ digest: definition });
    await machine.clock.advance(SECOND);
    expect(runs.filter(([, payload]) => payload === 'a')).toHaveLength(1);
  });

  it('whose payload no longer fits is one failure until it fits again', async () => {
    const { machine, runs, process, digest, definition } = await open();
    for (const [key, payload] of [
      ['a', '1'],
      ['b', 'x'],
    ] as const)
      await digest.every('1m', payload, { key });
    const changed = { payload: z.string().max(0).optional(), run: definition.run };
    await process.reload({ digest: defineTask(changed) });
    await machine.clock.advance(3 * HOUR);
    expect(runs).toEqual([]);
    expect(process.log.at('error')).toHaveLength(2);
    const failed = await machine.storage.list('tasks:failed:');
    const dueMs = machine.clock.now() - 3 * HOUR + MINUTE;
    expect(failed.map(({ value }) => value)).toMatchObject([
      { payload: '1', dueMs },
      { payload: 'x', dueMs },
    ]);
    const upgrade = (): string => '';
    await process.reload({ digest: defineTask({ ...changed, upgrade }) });
    await machine.clock.advance(MINUTE);
    expect(runs).toHaveLength(2);
    await process.retry(failed[0]?.key.slice('tasks:failed:'.length) ?? '');
    await machine.clock.advance(SECOND);
    expect(runs).toHaveLength(3);
    expect(await machine.storage.list('tasks:failed:')).toHaveLength(1);
  });

  it('is not ended by a schedule in the file, which cannot be canceled', async () => {
    const { machine, runs, digest } = await open({ payload: undefined, every: '20m' });
    await digest.every('1h', undefined, { key: 'c' });
    const [own, called] = await digest.list();
    expect([own?.repeats, called?.repeats]).toEqual([
      { every: 20 * MINUTE },
      { every: HOUR, key: 'c' },
    ]);
    expect(await digest.cancel(own?.id ?? '')).toBe(false);
    expect(await digest.cancel('')).toBe(false);
    await machine.clock.advance(HOUR);
    expect(runs.map(([ms]) => ms)).toEqual([20 * MINUTE, 40 * MINUTE, HOUR, HOUR]);
  });

  it.each(['the schedule', 'the file'])(
    'of a schedule ends when %s is removed',
    async (removed) => {
      const { machine, process, runs, definition } = await open({
        payload: undefined,
        every: '1h',
      });
      await machine.clock.advance(HOUR);
      const left = removed === 'the file' ? 'other' : 'digest';
      await process.reload({ [left]: { ...definition, every: undefined } });
      await machine.clock.advance(DAY);
      expect([runs.length, await machine.entries()]).toEqual([1, []]);
      expect(process.log.at('warn')).toEqual([]);
    },
  );

  it('of a schedule continues after a process of another version has ended', async () => {
    const { machine, runs, definition } = await open({ payload: undefined, every: '1h' });
    const other = await machine.start({ digest: defineTask({ every: '7m', run: () => {} }) });
    await machine.clock.advance(MINUTE);
    other.kill();
    await machine.clock.advance(3 * HOUR);
    expect([definition.every, runs.length]).toEqual(['1h', 2]);
  });

  it('of a schedule continues while processes without its file start', async () => {
    const { machine, runs } = await open({ payload: undefined, every: '1h' });
    for (let minute = 0; minute < 130; minute += 10) {
      const other = await machine.start({ other: defineTask({ run: () => {} }) });
      await machine.clock.advance(10 * MINUTE);
      other.kill();
    }
    expect(runs).toHaveLength(2);
  });

  it.each<[string, (task: TaskProcess) => Promise<unknown>]>([
    ['an interval below a second', (process) => process.task('digest').every('999ms')],
    ['an interval beyond the last date', (process) => process.task('digest').every('100000001d')],
    ['an invalid interval', (process) => process.task('digest').every('soon' as '1h')],
    ['an invalid expression', (process) => process.task('digest').cron('every day')],
    ['an expression without a time', (process) => process.task('digest').cron('0 0 30 2 *')],
    [
      'an unknown zone',
      (process) => process.task('digest').cron('0 9 * * *', 'a', { timeZone: 'Mars' }),
    ],
    [
      'a misspelled zone',
      (process) => process.task('digest').cron('0 9 * * *', 'a', { timezone: 'Mars' } as object),
    ],
    [
      'a misspelled key',
      (process) => process.task('digest').every('1h', 'a', { keys: 'k' } as object),
    ],
    ['an empty key', (process) => process.task('digest').every('1h', 'a', { key: '' })],
    ['a long key', (process) => process.task('digest').every('1h', 'a', { key: 'ü'.repeat(40) })],
    ['an invalid payload', (process) => process.task('digest').every('1h', 1)],
    ['an unknown task', (process) => process.task('digst').every('1h')],
  ])('is refused with %s', async (_, call) => {
    const { machine, process } = await open();
    await expect(call(process)).rejects.toMatchObject({ code: 'E_TASK_CALL' });
    expect(await machine.entries()).toEqual([]);
  });
});

type Step =
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'start' }
  | { readonly do: 'replace' }
  | { readonly do: 'kill' };

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('advance' as const),
        ms: fc.constantFrom(1, 2, 5, 30_000, MINUTE, MINUTE + 3, 5 * MINUTE),
      }),
    },
    { weight: 2, arbitrary: fc.constant({ do: 'start' as const }) },
    { weight: 1, arbitrary: fc.constant({ do: 'replace' as const }) },
    { weight: 2, arbitrary: fc.constant({ do: 'kill' as const }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 25 },
);

const latencies = fc.array(fc.constantFrom(0, 1, 3, 7), { minLength: 1, maxLength: 7 });

describe('a repeat, whatever happens', () => {
  it('continues with one run at a time, in all processes', async () => {
    await fc.assert(
      fc.asyncProperty(steps, latencies, async (program, latency) => {
        let uses = 0;
        const machine = await createTaskMachine({
          latencyMs: () => latency[(uses += 1) % latency.length] ?? 0,
        });
        const { clock } = machine;
        const wrong: string[] = [];
        const inProgress = new Set<number>();
        let latest = '';
        let ended = 0;
        let names = 0;
        const alive: { readonly process: TaskProcess; readonly name: number }[] = [];
        const start = async (): Promise<void> => {
          const name = (names += 1);
          const work = defineTask({
            payload: z.string(),
            run: async ({ payload, clock: own }) => {
              if (inProgress.size > 0) wrong.push('two runs at a time');
              inProgress.add(name);
              await own.sleep('10s');
              inProgress.delete(name);
              // The run in progress keeps the payload with which it has begun.
              if (payload < latest && clock.elapsedMs > replacedMs + 40_000)
                wrong.push(`${payload} after ${latest}`);
              ended += 1;
            },
          });
          alive.push({ process: await machine.start({ work }, { drainMs: 1_000 }), name });
        };
        let replacedMs = 0;
        const replace = async (): Promise<void> => {
          latest = String.fromCodePoint((latest.codePointAt(0) ?? 64) + 1);
          const called = alive[0]?.process.task('work').every('1m', latest, { key: 'k' });
          await clock.advance(100);
          await called;
          replacedMs = clock.elapsedMs;
        };
        await start();
        await replace();
        for (const step of program) {
          if (step.do === 'advance') await clock.advance(step.ms);
          else if (step.do === 'start') await start();
          else if (step.do === 'replace') {
            // A replaced run may be in progress; the new one does not wait for it.
            if (inProgress.size === 0 && alive.length > 0) await replace();
          } else {
            const gone = alive.pop();
            gone?.process.kill();
            if (gone) inProgress.delete(gone.name);
          }
        }
        if (alive.length === 0) await start();
        await clock.advance(2 * MINUTE);
        const before = ended;
        await clock.advance(10 * MINUTE);
        // The interval is a minute, and each run takes 10 seconds.
        expect([wrong, ended - before >= 9 && ended - before <= 11]).toEqual([[], true]);
        expect((await machine.storage.list('tasks:repeat:')).length).toBe(1);
        const canceled = alive[0]?.process.task('work').cancel('k');
        await clock.advance(HOUR);
        expect([await canceled, await machine.entries()]).toEqual([true, []]);
        const closing = Promise.all(alive.map(({ process }) => process.bot.close()));
        await clock.advance(20_000);
        await closing;
      }),
      { numRuns: propertyRuns(200) },
    );
  });
});
