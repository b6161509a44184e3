import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { defineTask } from '../../src/tasks/define-task.js';
import type { StorageDriver } from '../../src/storage/storage-driver.js';
import { CHANNEL, OTHER_CHANNEL } from '../ids.js';
import { createOutagePlatform, type Outage } from '../outage-platform.js';
import { createTaskMachine } from '../task-processes.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Tests that an outage of the platform costs no run, with any storage. */
export function describeTaskOutages(name: string, openDriver?: () => Promise<StorageDriver>): void {
  /** A bot of one process, and its platform. */
  async function start(options: { readonly maxLate?: '1h'; readonly timeout?: '5s' } = {}) {
    const opened = await openDriver?.();
    onTestFinished(() => opened?.close());
    const pending = new Set<Promise<unknown>>();
    /** Notes a use of the storage: one with a network does not go by the clock. */
    function noted<T>(using: Promise<T>): Promise<T> {
      const settled = using.catch(() => {});
      pending.add(settled);
      void settled.then(() => pending.delete(settled));
      return using;
    }
    const driver: StorageDriver | undefined = opened && {
      get: (...call) => noted(opened.get(...call)),
      set: (...call) => noted(opened.set(...call)),
      swap: (...call) => noted(opened.swap(...call)),
      delete: (...call) => noted(opened.delete(...call)),
      list: (...call) => noted(opened.list(...call)),
      close: async () => {},
    };
    const machine = await createTaskMachine(driver ? { driver } : {});
    const { clock } = machine;
    async function advance(ms: number): Promise<void> {
      if (!driver) return clock.advance(ms);
      for (let leftMs = ms; leftMs > 0; leftMs -= 5 * SECOND) {
        await clock.advance(Math.min(leftMs, 5 * SECOND));
        while (pending.size > 0) {
          await Promise.all(pending);
          await clock.advance(0);
        }
      }
    }
    const platform = createOutagePlatform(clock);
    const payload = z.string();
    const tasks = {
      remind: defineTask({
        payload,
        ...options,
        run: (context) => context.channel(CHANNEL).send(context.payload),
      }),
      digest: defineTask({
        payload,
        retries: 0,
        run: async ({ channel, payload: content }) => {
          for (const id of [CHANNEL, OTHER_CHANNEL]) await channel(id).send(content);
        },
      }),
      notify: defineTask({
        payload,
        ...options,
        run: async (context) => {
          const body = { content: context.payload };
          await context.rest.messages.send(CHANNEL, body).catch((cause: unknown) => {
            throw new Error('not notified', { cause });
          });
        },
      }),
    };
    const process = await machine.start(tasks, { rest: platform.rest });
    return { machine, process, platform, advance };
  }

  const lasting = (['refused', 'unavailable', 'silent'] as const).flatMap((how) =>
    [4 * MINUTE, 5 * HOUR].map((ms): [Outage, number] => [how, ms]),
  );
  const foreign = (['proxy', 'redirected', 'blocked', 'unknown'] as const).map(
    (how): [Outage, number] => [how, 4 * MINUTE],
  );
  const outages = [...lasting, ...foreign];

  describe(`tasks while the platform is away: ${name}`, () => {
    it.each(outages)('are not lost, and not sent twice: %s for %i ms', async (how, ms) => {
      const { process, platform, advance } = await start();
      const texts: string[] = [];
      for (const task of ['remind', 'notify'])
        for (let index = 0; index < 8; index += 1) {
          texts.push(`${task} ${index}`);
          const delayMs = SECOND + Math.trunc((index * (ms - SECOND)) / 8);
          await process.task(task).in(`${delayMs}ms`, texts.at(-1));
        }
      platform.outage = how;
      await advance(ms);
      expect(platform.sent).toEqual([]);
      const asked = platform.requests;
      platform.outage = undefined;
      await advance(6 * MINUTE);
      expect(platform.sent.toSorted()).toEqual(texts.toSorted());
      expect(await process.task('remind').list()).toEqual([]);
      expect(process.log.at('error')).toEqual([]);
      // A platform that is away is asked less and less.
      expect(asked).toBeLessThan(ms === 4 * MINUTE ? 600 : 2_500);
    });

    it.each([
      ['120 s', 2 * MINUTE, undefined, 2],
      ['3 h, and are tried each hour', 3 * HOUR, undefined, 4],
      ['4 min, and are tried when it should be over', 4 * MINUTE, 40 * SECOND, 7],
    ])('are not lost while a limit lasts %s', async (_, limitMs, statesMs, tries) => {
      const { machine, process, platform, advance } = await start();
      platform.limit = { untilMs: machine.clock.now() + limitMs, statesMs };
      await process.task('digest').in('0s', 'tea');
      await advance(limitMs + MINUTE);
      expect(platform.sent).toEqual(['tea', 'tea']);
      expect(process.log.at('error')).toEqual([]);
      // Each message is one request to read the channel and one to send it; the limit is that of the first.
      expect(platform.requests).toBe(2 * tries + 2);
    });

    it('is sent once if only its answer was lost', async () => {
      const { process, platform, advance } = await start();
      platform.losesNextAnswer = true;
      await process.task('remind').in('1s', 'tea');
      await advance(10 * MINUTE);
      expect(platform.sent).toEqual(['tea']);
    });

    it('fail as usual where only the calls of one channel fail', async () => {
      const { process, platform, advance } = await start();
      platform.unavailablePath = `/channels/${OTHER_CHANNEL}/messages`;
      await process.task('digest').in('1s', 'tea');
      await advance(HOUR);
      expect(platform.sent).toEqual(['tea']);
      expect(process.log.at('error')).toHaveLength(1);
    });

    it('run where only the call fails that asks for the bot', async () => {
      const { process, platform, advance } = await start();
      platform.unavailablePath = '/users/@me';
      platform.losesNextAnswer = true;
      for (let minutes = 1; minutes <= 5; minutes += 1)
        await process.task('notify').in(`${minutes}m`, String(minutes));
      await advance(8 * MINUTE);
      // The first, whose answer was lost, is repeated.
      expect(platform.sent.toSorted()).toEqual(['5', '4', '3', '2', '1', '1'].toSorted());
    });

    it('that end at their own timeout are not lost either', async () => {
      const { process, platform, advance } = await start({ timeout: '5s' });
      platform.outage = 'silent';
      await process.task('remind').in('1s', 'tea');
      await advance(HOUR);
      platform.outage = undefined;
      await advance(6 * MINUTE);
      expect(platform.sent).toEqual(['tea']);
    });

    it('are skipped when they are later than maxLate', async () => {
      const { process, platform, advance } = await start({ maxLate: '1h' });
      platform.outage = 'refused';
      await process.task('remind').in('1s', 'tea');
      await advance(2 * HOUR);
      platform.outage = undefined;
      await advance(6 * MINUTE);
      expect(platform.sent).toEqual([]);
      expect(process.log.at('warn')).toContainEqual(
        expect.stringContaining('skipped a run of remind'),
      );
    });
  });
}
