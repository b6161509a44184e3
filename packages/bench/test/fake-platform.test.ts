import { describe, expect, it, onTestFinished } from 'vitest';
import { Pool } from 'undici';
import type { BotOptions, StartBot } from '../src/bots/bench-bot.js';
import { startClientBot } from '../src/bots/client-bot.js';
import { startFloorBot } from '../src/bots/floor-bot.js';
import { startRuntimeBot } from '../src/bots/runtime-bot.js';
import { startFakePlatform, type FakePlatform } from '../src/platform/fake-platform.js';
import { rollAnswer, rollCommand } from '../src/platform/sample-data.js';

async function platformForTest(): Promise<FakePlatform> {
  const platform = await startFakePlatform();
  onTestFinished(() => platform.close());
  return platform;
}

const bots = { floor: startFloorBot, client: startClientBot, runtime: startRuntimeBot };

async function startForTest(start: StartBot, options: Partial<BotOptions> & { port: number }) {
  const bot = await start({ roll: rollAnswer, onMessage: () => {}, ...options });
  onTestFinished(() => bot.close().then(() => {}));
}

describe('startFakePlatform', () => {
  for (const [name, start] of Object.entries(bots)) {
    it(`runs commands on the ${name} and takes its answers`, async () => {
      const platform = await platformForTest();
      await startForTest(start, { port: platform.port });
      const load = { count: 300, outstanding: 16, delayMs: 0 };
      const figures = await platform.runCommands(load);
      expect(figures).toMatchObject({ wrong: 0, doubled: 0 });
      expect(figures.perSecond).toBeGreaterThan(0);
      expect(figures.p99Ms).toBeGreaterThanOrEqual(figures.p50Ms);
      // A second load goes on where the first one ended.
      expect(await platform.runCommands({ ...load, delayMs: 5 })).toMatchObject({ wrong: 0 });
    });

    it(`sends events to the ${name}, each once and in order`, async () => {
      const platform = await platformForTest();
      const ids: string[] = [];
      let onLast: () => void = () => {};
      const last = new Promise<void>((resolve) => (onLast = resolve));
      const onMessage = (message: unknown): void => {
        if (ids.push((message as { id: string }).id) === 256) onLast();
      };
      await startForTest(start, { port: platform.port, onMessage });
      expect(await platform.sendEvents(200)).toBe(256);
      await last;
      expect(new Set(ids).size).toBe(256);
      expect(ids).toEqual(ids.toSorted());
    });
  }

  it('counts answers that are wrong', async () => {
    const platform = await platformForTest();
    const roll = (sides: number, count: number): string =>
      sides === 5 ? 'something else' : rollAnswer(sides, count);
    await startForTest(startFloorBot, { port: platform.port, roll });
    const figures = await platform.runCommands({ count: 997, outstanding: 64, delayMs: 0 });
    expect(figures).toMatchObject({ wrong: 1, doubled: 0 });
  });

  it('counts answers that come twice', async () => {
    const platform = await platformForTest();
    const pool = new Pool(`http://127.0.0.1:${platform.port}`);
    onTestFinished(() => pool.destroy());
    await startForTest(startFloorBot, { port: platform.port });
    const delayed = platform.runCommands({ count: 2, outstanding: 1, delayMs: 500 });
    const { event, answer } = rollCommand(0x1_0000);
    const path = `/api/bot/v1/interactions/${event.d.interactionId}/response`;
    const body = JSON.stringify({ content: answer });
    for (let times = 0; times < 2; times += 1) {
      const reply = await pool.request({ path, method: 'POST', body });
      expect(reply.statusCode).toBe(200);
      await reply.body.dump();
    }
    expect((await delayed).doubled).toBeGreaterThanOrEqual(1);
  });

  it('answers what a bot asks at its start', async () => {
    const platform = await platformForTest();
    const pool = new Pool(`http://127.0.0.1:${platform.port}`);
    onTestFinished(() => pool.destroy());
    const me = await pool.request({ path: '/api/bot/v1/users/@me', method: 'GET' });
    expect(await me.body.json()).toMatchObject({ username: 'bench-bot' });
    const list = await pool.request({ path: '/api/bot/v1/commands', method: 'GET' });
    expect(await list.body.json()).toEqual([]);
  });
});
