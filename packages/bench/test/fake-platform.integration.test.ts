import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Pool } from 'undici';
import type { BotOptions, StartBot } from '../src/bots/bench-bot.js';
import { startClientBot } from '../src/bots/client-bot.js';
import { startDiscordFloorBot } from '../src/bots/discord-floor-bot.js';
import { startFloorBot } from '../src/bots/floor-bot.js';
import { runtimeBot } from '../src/bots/runtime-bot.js';
import { botInterfaceDialect } from '../src/platform/bot-interface-dialect.js';
import type { CommandName, Dialect } from '../src/platform/dialect.js';
import { discordDialect } from '../src/platform/discord-dialect.js';
import { startFakePlatform, type FakePlatform } from '../src/platform/fake-platform.js';
import { answerTo, FIRST_FREE_INDEX, rollAnswer } from '../src/platform/sample-data.js';
import { startSimulatorPlatform } from '../src/platform/simulator-platform.js';

async function platformForTest(dialect?: Dialect): Promise<FakePlatform> {
  const platform = await startFakePlatform(dialect);
  onTestFinished(() => platform.close());
  return platform;
}

const bots: Record<string, { start: StartBot; dialect?: Dialect }> = {
  'bot by hand': { start: startFloorBot },
  'bot on the client': { start: startClientBot },
  'bot on the runtime': { start: runtimeBot() },
  'bot with a middleware': { start: runtimeBot({ middleware: true }) },
  'bot by hand for Discord': { start: startDiscordFloorBot, dialect: discordDialect },
};

async function startForTest(start: StartBot, options: Partial<BotOptions> & { port: number }) {
  const bot = await start({
    roll: rollAnswer,
    released: Promise.resolve(),
    onMessage: () => {},
    ...options,
  });
  onTestFinished(() => bot.close().then(() => {}));
}

const load = (count: number, outstanding: number, name: CommandName = 'roll') => ({
  name,
  count,
  outstanding,
  delayMs: 0,
});

describe('startFakePlatform', () => {
  for (const [name, { start, dialect }] of Object.entries(bots)) {
    it(`runs commands on the ${name} and takes its answers`, async () => {
      const platform = await platformForTest(dialect);
      await startForTest(start, { port: platform.port });
      const figures = await platform.runCommands(load(300, 16));
      expect(figures).toMatchObject({ wrong: 0, doubled: 0 });
      expect(figures.perSecond).toBeGreaterThan(0);
      expect(figures.p99Ms).toBeGreaterThanOrEqual(figures.p50Ms);
      // A second load continues where the first one ended.
      const delayed = await platform.runCommands({ ...load(300, 16), delayMs: 5 });
      expect(delayed).toMatchObject({ wrong: 0, doubled: 0 });
    });

    it(`sends events to the ${name}, each once and in order`, async () => {
      const platform = await platformForTest(dialect);
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

  const ours = Object.entries(bots).filter(([, { dialect }]) => dialect === undefined);

  for (const [name, { start }] of ours) {
    it(`runs a command without options on the ${name}`, async () => {
      const platform = await platformForTest();
      await startForTest(start, { port: platform.port });
      const figures = await platform.runCommands(load(100, 16, 'ping'));
      expect(figures).toMatchObject({ wrong: 0, doubled: 0 });
    });
  }

  it('keeps commands open and deferred until the bot is released', async () => {
    // At the same time: each bot waits before it defers.
    const held = ours.map(async ([, { start }]) => {
      const platform = await platformForTest();
      let release: () => void = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await startForTest(start, { port: platform.port, released });
      const open = platform.openCommands(40);
      await open.deferred;
      release();
      return open.answered;
    });
    for (const figures of await Promise.all(held))
      expect(figures).toEqual({ wrong: 0, doubled: 0 });
  });

  it('counts answers that are wrong', async () => {
    const platform = await platformForTest();
    const roll = (sides: number, count: number): string =>
      sides === 5 ? 'something else' : rollAnswer(sides, count);
    await startForTest(startFloorBot, { port: platform.port, roll });
    expect(await platform.runCommands(load(997, 64))).toMatchObject({ wrong: 1, doubled: 0 });
  });

  it('counts answers that come twice', async () => {
    const platform = await platformForTest();
    const pool = new Pool(`http://127.0.0.1:${platform.port}`);
    onTestFinished(() => pool.destroy());
    await startForTest(startFloorBot, { port: platform.port });
    const delayed = platform.runCommands({ ...load(2, 1), delayMs: 500 });
    const id = botInterfaceDialect.idOf(FIRST_FREE_INDEX);
    const path = `/api/bot/v1/interactions/${id}/response`;
    const body = JSON.stringify({ content: answerTo('roll', FIRST_FREE_INDEX) });
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

  it('says that no bot is there', async () => {
    const platform = await platformForTest();
    expect(() => platform.openCommands(1)).toThrow('No bot has identified.');
    await expect(platform.runCommands(load(1, 1))).rejects.toThrow('No bot has identified.');
    await expect(platform.sendEvents(1)).rejects.toThrow('No bot has identified.');
  });
});

describe('runtimeBot', () => {
  it('writes a line of log for every command', async () => {
    const platform = await platformForTest();
    const lines: unknown[] = [];
    const take = (fields: object): void => void lines.push(fields);
    const drop = (): void => {};
    const log = { fatal: drop, error: drop, warn: drop, info: take, debug: drop, trace: drop };
    await startForTest(runtimeBot({ log }), { port: platform.port });
    await platform.runCommands(load(50, 8));
    // The last line is written after the last answer.
    await vi.waitFor(() => {
      const commands = lines.filter((line) => (line as { command?: string }).command === 'roll');
      expect(commands).toHaveLength(50);
    });
  });
});

describe('startSimulatorPlatform', () => {
  async function simulatorForTest(roll = rollAnswer) {
    const platform = await startSimulatorPlatform();
    onTestFinished(() => platform.close());
    await startForTest(startFloorBot, { port: platform.port, token: platform.token, roll });
    return platform;
  }

  it('runs commands in the simulator, one load after the other', async () => {
    const platform = await simulatorForTest();
    for (const count of [200, 30]) {
      const figures = await platform.runCommands(load(count, 16));
      expect(figures).toMatchObject({ wrong: 0, doubled: 0 });
      expect(figures.perSecond).toBeGreaterThan(0);
    }
  });

  it('counts answers that are wrong', async () => {
    const platform = await simulatorForTest((sides, count) =>
      sides === 5 ? 'something else' : rollAnswer(sides, count),
    );
    expect(await platform.runCommands(load(100, 16))).toMatchObject({ wrong: 1, doubled: 0 });
  });
});
