import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import * as z from 'zod';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { CHANNEL, SERVER } from '../../test/ids.js';
import { createTaskMachine, type TaskFiles, type TaskProcess } from '../../test/task-processes.js';
import type { SentMessage } from '../command/answer/answer.js';
import { sqlite } from '../storage/sqlite-storage.js';
import { defineTask } from './define-task.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const ADA = '00000000-0000-4000-8000-0000000000a1';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const questionOf = (n: number): SentMessage =>
  ({
    id: idOf(n),
    message: async () => ({ id: idOf(n), channelId: CHANNEL }),
    react: async () => {},
  }) as unknown as SentMessage;

const press = (n: number) => ({
  serverId: SERVER,
  channelId: CHANNEL,
  messageId: idOf(n),
  userId: ADA,
  emoji: { kind: 'unicode', unicodeEmoji: '✅' },
  count: 1,
});

describe('10,000 open questions', () => {
  const QUESTIONS = 10_000;
  const FEW = 1_000;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /** Starts a bot with this number of open questions in SQLite, and measures it. */
  async function measured(count: number) {
    const root = await mkdtemp(join(tmpdir(), 'virgule-asks-'));
    const setting = sqlite({ file: join(root, 'bot.db') });
    const clock = (await createTaskMachine()).clock;
    const driver = await setting.open({ clock, log: silentLog, root });
    onTestFinished(async () => {
      await driver.close();
      await rm(root, { recursive: true, force: true });
    });
    const machine = await createTaskMachine({ driver });
    const runs: number[] = [];
    const tasks: TaskFiles = {
      deploy: defineTask({
        waits: 'confirm',
        payload: z.number(),
        run: ({ payload }) => void runs.push(payload),
      }),
    };
    const first = await machine.start(tasks);
    for (let n = 0; n < count; n += 1)
      await first.task('deploy').ask(questionOf(n), n, { within: '30d', by: [ADA] });
    first.kill();
    await machine.clock.advance(SECOND);
    const timersBefore = machine.clock.pending;
    collect();
    const heapBefore = process.memoryUsage().heapUsed;
    const times: number[] = [];
    let next = first;
    // The shortest of several starts: other programs delay some.
    for (let start = 1; start <= 7; start += 1) {
      next.kill();
      const startMs = systemClock.monotonic();
      next = await machine.start(tasks);
      times.push(systemClock.monotonic() - startMs);
    }
    const ms = Math.min(...times);
    await machine.clock.advance(SECOND);
    await next.bot.idle();
    collect();
    const heap = process.memoryUsage().heapUsed - heapBefore;
    return { machine, next, runs, ms, heap, timers: machine.clock.pending - timersBefore };
  }

  it('cost no timer and no memory, and do not slow a start', { timeout: 600_000 }, async () => {
    // A start reads up to 1,000 questions.
    await measured(FEW);
    const few = await measured(FEW);
    const many = await measured(QUESTIONS);
    const perQuestion = (many.heap - few.heap) / (QUESTIONS - FEW);
    const report = {
      timers: many.timers - few.timers,
      bytesPerQuestion: Math.round(perQuestion * 10) / 10,
      startMs: Math.round(many.ms * 10) / 10,
      startRatio: Math.round((many.ms / few.ms) * 10) / 10,
    };
    process.stdout.write(`${JSON.stringify(report)}\n`);
    expect(report.timers).toBe(0);
    // A measurement of the heap is uncertain by some kilobytes.
    expect(perQuestion).toBeLessThan(16);
    expect(many.ms).toBeLessThan(few.ms * 3 + 20);
    many.next.emit('MESSAGE_REACTION_ADD', press(QUESTIONS - 1));
    await many.machine.clock.advance(SECOND);
    expect(many.runs).toEqual([QUESTIONS - 1]);
  });
});

/** Deploys between the answer and the next start. */
const changed = defineTask({
  waits: 'confirm',
  payload: z.object({ version: z.string() }),
  retries: 0,
  run: () => {},
});

describe('a question whose process is killed, with a deploy before the next start', () => {
  /** Kills the process at a use of the storage. Then another version starts, and at last the first version again. */
  async function killedAt(use: number, phase: 'asking' | 'answering', deploy: TaskFiles) {
    let uses = 0;
    let isCounting = false;
    const processes: TaskProcess[] = [];
    const machine = await createTaskMachine({
      isPrivate: true,
      latencyMs: () => {
        if (isCounting && (uses += 1) === use) processes[0]?.kill();
        return 1;
      },
    });
    const runs: unknown[] = [];
    const own = defineTask({
      waits: 'confirm',
      payload: z.string(),
      run: ({ answer }) => void runs.push(answer.yes),
    });
    const start = (tasks: TaskFiles): Promise<TaskProcess> => {
      const rest = createFakeRest();
      const { emoji } = press(1);
      rest.always('reactions.details', { reactions: [{ emoji, users: [{ id: ADA }] }] });
      return machine.start(tasks, { rest: rest.rest });
    };
    processes.push(await start({ deploy: own }));
    const [first] = processes;
    isCounting = phase === 'asking';
    let isAsked = false;
    first
      ?.task('deploy')
      .ask(questionOf(1), 'x', { within: '1d' })
      .then(
        () => (isAsked = true),
        () => {},
      );
    await machine.clock.advance(SECOND);
    isCounting = true;
    first?.emit('MESSAGE_REACTION_ADD', press(1));
    await machine.clock.advance(SECOND);
    isCounting = false;
    first?.kill();
    const before = runs.length;
    const second = await start(deploy);
    await machine.clock.advance(HOUR);
    const during = runs.length;
    second.kill();
    const failed = await machine.storage.list('tasks:failed:');
    const third = await start({ deploy: own });
    // The storage takes time on the clock.
    for (const { key } of failed) void third.retry(key.slice('tasks:failed:'.length));
    await machine.clock.advance(HOUR);
    const answered = runs.length;
    // The run at the deadline of a question that was not stored is deleted.
    await machine.clock.advance(25 * HOUR);
    const left = await machine.entries();
    return { runs, answered, isAsked, before, during, failed: failed.length, left };
  }

  const other = defineTask({ run: () => {} });
  it.each(
    (
      [
        ['changes', { deploy: changed }],
        ['renames', { release: changed }],
        ['deletes', { other }],
      ] as const
    ).flatMap(([what, deploy]) => [
      ...Array.from({ length: 8 }, (_, n) => [what, 'asking', n + 1, deploy] as const),
      ...Array.from({ length: 17 }, (_, n) => [what, 'answering', n + 1, deploy] as const),
    ]),
  )('%s the file, while %s at use %i, has one outcome', async (what, phase, use, deploy) => {
    const { runs, answered, isAsked, before, during, failed, left } = await killedAt(
      use,
      phase,
      deploy,
    );
    // No run begins in the version without the file; a changed file keeps the run as failed.
    expect(during).toBe(before);
    expect(failed).toBeLessThanOrEqual(what === 'changes' ? 1 : 0);
    // A question that was stored is answered in the end.
    expect(isAsked ? answered : 1).toBeGreaterThan(0);
    expect(new Set(runs).size).toBeLessThanOrEqual(1);
    expect(runs.length).toBeLessThanOrEqual(before + 1);
    expect(left).toEqual([]);
  });
});
