import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createBenchProject, NO_LOG } from '../src/rounds/bench-project.js';
import {
  measureCommands,
  measureEvents,
  measurePlatform,
  measureStart,
} from '../src/rounds/measure.js';
import { withPair, type BotProgram } from '../src/rounds/with-pair.js';

const project = createBenchProject();
afterAll(() => project.remove());

const bots: Record<string, () => Promise<BotProgram>> = {
  'bot by hand': () => project.floor(),
  'built bot': () => project.built(),
  'built bot without a log': () => project.built(NO_LOG),
  'bot by hand for Discord': async () => ({ program: 'discord-floor-bot', platform: 'discord' }),
};
const LOAD = { count: 300, outstanding: 16, delayMs: 5 };

describe.each(Object.entries(bots))('a %s', (_name, program) => {
  it('starts, answers commands, and receives all events', async () => {
    await withPair(await program(), async (pair) => {
      const { values, wrong } = await measureCommands(pair, LOAD, 100);
      expect(wrong).toBe(0);
      expect(values.cpuMicros).toBeGreaterThan(1);
      expect(values.p99Ms).toBeGreaterThanOrEqual(values.p50Ms ?? Infinity);
      const events = await measureEvents(pair, 200);
      expect(events.values.perSecond).toBeGreaterThan(0);
      expect((await measureStart(pair)).values.startCpuMs).toBeGreaterThan(10);
    });
  });
});

describe('the simulator as a platform', () => {
  it('runs commands on the bot by hand', async () => {
    const program = await project.floor({ BENCH_INTENTS: 'APPLICATION_COMMANDS' });
    await withPair({ ...program, platform: 'simulator' }, async (pair) => {
      const { values, wrong } = await measurePlatform(pair, { ...LOAD, delayMs: 0 }, 30);
      expect(wrong).toBe(0);
      expect(values.cpuMicros).toBeGreaterThan(1);
    });
  });
});

describe('withPair', () => {
  it('fails if the bot exits', async () => {
    const program = {
      program: 'floor-bot',
      env: { NODE_OPTIONS: '--no-such-flag' },
    };
    await expect(withPair(program, async () => {})).rejects.toThrow('exited with 9.');
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
