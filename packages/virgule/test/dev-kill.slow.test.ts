import { systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { startDev } from './running-dev.js';
import { until } from './until.js';

const PID = {
  'commands/pid.ts': `export default { description: 'Pid', run: () => String(process.pid) };`,
};
/** 100 commands a second, in milliseconds. */
const EVERY_MS = 10;

describe('virgule dev, killed during traffic of 100 commands a second', () => {
  it('keeps the page alive, connects once, and leaves no command unanswered', async () => {
    await using dev = await startDev(PID);
    const pid = Number(await dev.say('/pid'));
    const asked: Promise<string>[] = [];
    let isOver = false;
    const traffic = (async () => {
      while (!isOver) {
        asked.push(dev.type('/pid'));
        await systemClock.sleep(EVERY_MS);
      }
    })();
    const enough = (count: number) =>
      until(() => expect(asked.length).toBeGreaterThanOrEqual(count));
    await enough(100);
    const killedMs = systemClock.monotonic();
    process.kill(pid, 'SIGKILL');
    await dev.reported('restart');
    const seconds = (systemClock.monotonic() - killedMs) / 1_000;
    await enough(asked.length + 100);
    isOver = true;
    await traffic;

    // The simulator took every one of them: the page was alive.
    const ids = new Set(await Promise.all(asked));
    const general = (await dev.get('/_sim/world')).channels.find(
      ({ name }: { name: string }) => name === 'general',
    ).id;
    const answered = async (): Promise<number> => {
      let count = 0;
      let before = '';
      for (;;) {
        const page = await dev.get(`/_sim/messages?channel=${general}&limit=100${before}`);
        count += page.messages.filter((message: { interactionId: string }) =>
          ids.has(message.interactionId),
        ).length;
        if (!page.hasMore) return count;
        before = `&before=${page.messages[0].id}`;
      }
    };
    await until(async () => expect(await answered()).toBe(ids.size));
    expect(await dev.identifies()).toBe(1);
    process.stdout.write(`${ids.size} commands, the next process after ${seconds.toFixed(2)} s\n`);
  });
});
