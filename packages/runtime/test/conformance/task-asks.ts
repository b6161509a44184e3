import { systemClock } from '@virgule/core/clock';
import { expect, it, onTestFinished } from 'vitest';
import type { SentMessage } from '../../src/command/answer/answer.js';
import { createBot } from '../../src/bot/running-bot.js';
import { StorageConnection } from '../../src/storage/storage-connection.js';
import type { StorageSetting } from '../../src/storage/storage-driver.js';
import { defineTask } from '../../src/tasks/define-task.js';
import { TaskQueue } from '../../src/tasks/task-queue.js';
import { createFakeGateway } from '../fake-gateway.js';
import { createFakeRest } from '../fake-rest.js';
import { CHANNEL, SERVER } from '../ids.js';
import { projectOf } from '../project-of.js';
import { createRecordedLog } from '../recorded-log.js';

const QUESTIONS = 1_000;
const OWNER = '00000000-0000-4000-8000-0000000000a1';
const OTHER = '00000000-0000-4000-8000-0000000000a2';
const LOST = 'another process has begun a run that is still in progress here';

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const questionOf = (n: number): SentMessage =>
  ({
    id: idOf(n),
    message: async () => ({ id: idOf(n), channelId: CHANNEL }),
    react: async () => {},
  }) as unknown as SentMessage;

const press = (n: number, userId: string) => ({
  serverId: SERVER,
  channelId: CHANNEL,
  messageId: idOf(n),
  userId,
  emoji: { kind: 'unicode', unicodeEmoji: '✅' },
  count: 1,
});

/** The storage of several processes. */
interface KilledStorage {
  readonly setting: StorageSetting;
  /** Kills the storage, and starts it again. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Tests that several processes with a storage that is killed decide each question once. */
export const describeTaskAsks = (open: () => Promise<KilledStorage>): void =>
  it(
    'two workers decide each of 1,000 questions once, with doubled reactions and kills of the storage',
    {
      timeout: 300_000,
    },
    async () => {
      const { setting, kill, close } = await open();
      onTestFinished(close);
      const runs = new Map<string | undefined, number>();
      const users = new Set<unknown>();
      const deploy = defineTask({
        waits: 'confirm',
        concurrency: 50,
        run({ question: { id }, answer }) {
          runs.set(id, (runs.get(id) ?? 0) + 1);
          users.add(answer.userId);
        },
      });
      const project = await projectOf({ 'tasks/deploy.ts': { default: deploy } });
      const startWorker = async () => {
        const log = createRecordedLog();
        const storage = new StorageConnection(setting, { clock: systemClock, log, root: '.' });
        const queue = new TaskQueue(storage, project.tasks);
        const gateway = createFakeGateway();
        const { rest } = createFakeRest();
        const parts = { clock: systemClock, random: () => 0.5, storage, tasks: queue };
        const bot = createBot({ rest, gateway, log, project, ...parts });
        await bot.connect();
        onTestFinished(() => bot.close());
        return {
          queue,
          log,
          emit: (data: object) => gateway.emit('MESSAGE_REACTION_ADD', data, 0),
        };
      };
      const workers = [await startWorker(), await startWorker()];
      const tasks = workers[0]?.queue.handles;
      for (let n = 0; n < QUESTIONS; n += 1)
        await tasks?.['deploy']?.ask(questionOf(n), undefined, { within: '1h', by: [OWNER] });
      for (let n = 0; n < QUESTIONS; n += 1) {
        for (const user of [OTHER, OWNER]) for (const { emit } of workers) emit(press(n, user));
        if (n % 250 === 125) await kill();
        if (n % 10 === 0) await systemClock.sleep(5);
      }
      await expect.poll(() => runs.size, { timeout: 120_000 }).toBe(QUESTIONS);
      // A run whose claim has expired begins again in this time.
      await systemClock.sleep(35_000);
      const reruns = [...runs.values()].reduce((sum, count) => sum + count - 1, 0);
      const lost = workers.flatMap(({ log }) => log.at('warn').filter((line) => line === LOST));
      process.stdout.write(
        `${runs.size} decided, ${reruns} runs repeated, ${lost.length} leases lost\n`,
      );
      expect(reruns).toBeLessThanOrEqual(lost.length);
      expect([...users]).toEqual([OWNER]);
    },
  );
