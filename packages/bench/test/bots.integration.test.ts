import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createBenchProject, NO_LOG } from '../src/rounds/bench-project.js';
import {
  measureCommands,
  measureEvents,
  measurePlatform,
  measureStart,
} from '../src/rounds/measure.js';
import { openPair, type BotProgram, type MeasuredPair } from '../src/rounds/open-pair.js';

const project = createBenchProject();
afterAll(() => project.remove());

const bots: Record<string, () => Promise<BotProgram>> = {
  'bot by hand': () => project.floor(),
  'built bot': () => project.built(),
  'built bot without a log': () => project.built(NO_LOG),
  'bot by hand for Discord': async () => ({ program: 'discord-floor-bot', platform: 'discord' }),
};
const LOAD = { count: 300, outstanding: 16, delayMs: 5 };

async function open(program: BotProgram): Promise<MeasuredPair> {
  const pair = await openPair(program);
  onTestFinished(() => pair.close());
  return pair;
}

describe.each(Object.entries(bots))('a %s', (_name, program) => {
  it('starts, answers commands, and receives all events', async () => {
    const pair = await open(await program());
    const { values, wrong } = await measureCommands(pair, LOAD);
    expect(wrong).toBe(0);
    expect(values.cpuMicros).toBeGreaterThan(1);
    expect(values.p99Ms).toBeGreaterThanOrEqual(values.p50Ms ?? Infinity);
    const events = await measureEvents(pair, 200);
    expect(events.values.perSecond).toBeGreaterThan(0);
    expect((await measureStart(pair)).values.startCpuMs).toBeGreaterThan(10);
  });
});

describe('the simulator as a platform', () => {
  it('runs commands on the bot by hand', async () => {
    const program = await project.floor({ BENCH_INTENTS: 'APPLICATION_COMMANDS' });
    const pair = await open({ ...program, platform: 'simulator' });
    const { values, wrong } = await measurePlatform(pair, { ...LOAD, delayMs: 0 });
    expect(wrong).toBe(0);
    expect(values.cpuMicros).toBeGreaterThan(1);
  });
});

describe('openPair', () => {
  it('fails if the bot exits before it identifies', async () => {
    const program = { program: 'floor-bot', env: { NODE_OPTIONS: '--no-such-flag' } };
    await expect(openPair(program)).rejects.toThrow('exited with 9.');
  });

  it('fails if the bot exits during a measurement', async () => {
    const { bot, during } = await open(await project.floor());
    process.kill(bot.pid);
    await expect(during(() => new Promise(() => {}))).rejects.toThrow('exited with SIGTERM.');
  });
});

describe('createBenchProject', () => {
  it('removes its folder', async () => {
    const other = createBenchProject();
    const folder = dirname((await other.built()).program);
    expect(existsSync(folder)).toBe(true);
    await other.remove();
    expect(existsSync(folder)).toBe(false);
  });
});
