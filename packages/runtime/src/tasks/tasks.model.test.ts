import fc from 'fast-check';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { createTaskMachine, type TaskProcess } from '../../test/task-processes.js';
import { defineTask } from './define-task.js';
import { runs } from '../../../core/test/fixtures/property-runs.js';

type Step =
  | { readonly do: 'call'; readonly inMs: number; readonly takesMs: number; readonly fails: number }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'start' }
  | { readonly do: 'close' | 'kill'; readonly which: number };

const ms = fc.constantFrom(0, 1, 400, 5_000, 15_000, 31_000, 120_000);
const which = fc.nat(9);
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('call' as const),
        inMs: ms,
        takesMs: ms,
        fails: fc.nat(2),
      }),
    },
    { weight: 5, arbitrary: fc.record({ do: fc.constant('advance' as const), ms }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), which }) },
    { weight: 1, arbitrary: fc.constant({ do: 'start' as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('close' as const, 'kill'), which }) },
  ) as fc.Arbitrary<Step>,
  { maxLength: 30 },
);

/** Durations of the uses of the storage, one after the other. */
const latencies = fc.array(fc.constantFrom(0, 0, 1, 3, 7), { minLength: 1, maxLength: 7 });

const payload = z.object({ n: z.number(), takesMs: z.number(), fails: z.number() });

describe('tasks, whatever happens', () => {
  it('run at least once, never twice at a time, and never after they were canceled', async () => {
    await fc.assert(
      fc.asyncProperty(steps, latencies, async (program, latency) => {
        let uses = 0;
        const machine = await createTaskMachine({
          latencyMs: () => latency[(uses += 1) % latency.length] ?? 0,
        });
        const { clock } = machine;
        /** Lets time pass until a call is done. */
        const done = async <T>(call: Promise<T>): Promise<T> => {
          await clock.advance(100);
          return call;
        };
        const alive: { readonly process: TaskProcess; readonly name: number }[] = [];
        let names = 0;
        /** By the number of the run: the processes that have it in progress. */
        const inProgress = new Map<number, Set<number>>();
        const ended = new Map<number, number>();
        const canceled = new Set<number>();
        const calls: { readonly id: string; readonly n: number }[] = [];
        const wrong: string[] = [];

        const start = async (): Promise<void> => {
          const name = (names += 1);
          const work = defineTask({
            payload,
            retries: 2,
            run: async ({ payload: { n, takesMs, fails }, attempt, clock: own }) => {
              const others = inProgress.get(n) ?? new Set();
              inProgress.set(n, others);
              if (others.size > 0) wrong.push(`${n} runs twice at a time`);
              if (canceled.has(n)) wrong.push(`${n} runs after it was canceled`);
              others.add(name);
              try {
                await own.sleep(`${takesMs}ms`);
              } finally {
                others.delete(name);
              }
              if (attempt <= fails) throw new Error('no luck');
              ended.set(n, (ended.get(n) ?? 0) + 1);
            },
          });
          alive.push({ process: await machine.start({ work }, { drainMs: 1_000 }), name });
        };
        await start();
        let kills = 0;
        for (const step of program) {
          const [some] = alive;
          if (step.do === 'advance') await clock.advance(step.ms);
          else if (step.do === 'start') await start();
          else if (step.do === 'call' && some) {
            const n = calls.length;
            const { inMs, takesMs, fails } = step;
            const called = some.process.task('work').in(`${inMs}ms`, { n, takesMs, fails });
            const { id } = await done(called);
            calls.push({ id, n });
          } else if (step.do === 'cancel' && some && calls.length > 0) {
            const { id, n } = calls[step.which % calls.length] ?? { id: '', n: -1 };
            if (await done(some.process.task('work').cancel(id))) {
              canceled.add(n);
              if (inProgress.get(n)?.size) wrong.push(`${n} was canceled in progress`);
            }
          } else if ((step.do === 'close' || step.do === 'kill') && alive.length > 0) {
            const [gone] = alive.splice(step.which % alive.length, 1);
            if (!gone) continue;
            if (step.do === 'close') {
              const closing = gone.process.bot.close();
              await clock.advance(10_000);
              await closing;
            } else {
              kills += 1;
              gone.process.kill();
              for (const runs of inProgress.values()) runs.delete(gone.name);
            }
          }
        }
        if (alive.length === 0) await start();
        await clock.advance(3_600_000);

        expect(wrong).toEqual([]);
        for (const { n } of calls) {
          if (canceled.has(n)) continue;
          const times = ended.get(n) ?? 0;
          // Another process repeats the work of a killed process.
          expect({ n, isRight: kills === 0 ? times === 1 : times >= 1 }).toEqual({
            n,
            isRight: true,
          });
        }
        expect(await machine.entries()).toEqual([]);
        const closing = Promise.all(alive.map(({ process }) => process.bot.close()));
        await clock.advance(20_000);
        await closing;
      }),
      { numRuns: runs(200) },
    );
  });
});
