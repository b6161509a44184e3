import { describe, expect, it } from 'vitest';
import type { MeasuredProcess } from './child-process.js';
import { measureCommands, measurePlatform } from './measure-commands.js';
import { measureEvents } from './measure-events.js';
import { measureMemory } from './measure-memory.js';

type Answers = Readonly<Record<string, readonly unknown[]>>;

/** Processes with fixed outputs, each list in order, and a record of the requests. */
function pairForTest(answers: { readonly platform: Answers; readonly bot: Answers }) {
  const asked: unknown[][] = [];
  const processOf = (who: 'platform' | 'bot'): MeasuredProcess => {
    const given = new Map<string, number>();
    return {
      async ask<Output>(name: string, input?: unknown) {
        asked.push(input === undefined ? [who, name] : [who, name, input]);
        const turn = given.get(name) ?? 0;
        given.set(name, turn + 1);
        // The two files that use a name agree on its output.
        return answers[who][name]?.[turn] as Output;
      },
      stop: () => Promise.resolve(),
    };
  };
  return { pair: { platform: processOf('platform'), bot: processOf('bot') }, asked };
}

const LOAD = { name: 'roll', count: 1_000, outstanding: 64, delayMs: 50 } as const;
const FIGURES = { perSecond: 20_000, p50Ms: 2, p99Ms: 5, wrong: 1, doubled: 2 };

describe('measureCommands', () => {
  const answers = {
    platform: { commands: [{}, FIGURES], cpu: [5_000, 25_000] },
    bot: { cpu: [100_000, 140_000], peakMiB: [120] },
  };

  it('returns the CPU time of the bot per command, and the load of the platform', async () => {
    const { pair } = pairForTest(answers);
    expect(await measureCommands(pair, LOAD, 4_000)).toEqual({
      values: { perSecond: 20_000, cpuMicros: 40, p50Ms: 2, p99Ms: 5, peakMiB: 120 },
      // 20 us of each command, 20,000 times a second.
      otherLoad: 0.4,
      wrong: 3,
    });
  });

  it('warms up first, without the network and without counting it', async () => {
    const { pair, asked } = pairForTest(answers);
    await measureCommands(pair, LOAD, 4_000);
    expect(asked[0]).toEqual(['platform', 'commands', { ...LOAD, count: 4_000, delayMs: 0 }]);
    const names = asked.map(([who, name]) => `${String(who)} ${String(name)}`);
    expect(names.indexOf('bot cpu')).toBeGreaterThan(0);
    expect(asked[3]).toEqual(['platform', 'commands', LOAD]);
  });
});

describe('measurePlatform', () => {
  it('returns the CPU time of the platform per command', async () => {
    const { pair } = pairForTest({
      platform: { commands: [{}, FIGURES], cpu: [5_000, 25_000] },
      bot: { cpu: [100_000, 140_000] },
    });
    expect(await measurePlatform(pair, LOAD, 4_000)).toEqual({
      values: { perSecond: 20_000, cpuMicros: 20, p50Ms: 2, p99Ms: 5 },
      wrong: 3,
    });
  });
});

describe('measureEvents', () => {
  it('takes rate and CPU of the second run, and how busy the platform was in it', async () => {
    const { pair, asked } = pairForTest({
      platform: { events: [128, 1_024], cpu: [10_000, 12_048] },
      bot: {
        events: [
          { perSecond: 1, cpuMicros: 99 },
          { perSecond: 200_000, cpuMicros: 4 },
        ],
        peakMiB: [90],
      },
    });
    expect(await measureEvents(pair, 1_000)).toEqual({
      values: { perSecond: 200_000, cpuMicros: 4, peakMiB: 90 },
      otherLoad: 0.4,
    });
    // The bot knows how many it has to see before the first of them is sent.
    const names = asked.map(([, name, input]) => [name, input]);
    expect(names.slice(0, 2)).toEqual([
      ['expectEvents', 1_000],
      ['events', 1_000],
    ]);
  });
});

describe('measureMemory', () => {
  const answers = {
    platform: { commands: [{}], open: [undefined], answered: [{ wrong: 0, doubled: 1 }] },
    bot: {
      memory: [
        { heapBytes: 10_000_000, rssBytes: 100_000_000 },
        { heapBytes: 11_000_000, rssBytes: 104_857_600 },
      ],
      release: [undefined],
    },
  };

  it('returns the memory that each open interaction adds to heap and process', async () => {
    const { pair } = pairForTest(answers);
    expect(await measureMemory(pair, 1_000)).toEqual({
      values: { heapBytesEach: 1_000, rssBytesEach: 4_857.6, rssMiB: 100 },
      wrong: 1,
    });
  });

  it('reads it while all are open, and releases the bot afterwards', async () => {
    const { pair, asked } = pairForTest(answers);
    await measureMemory(pair, 1_000);
    const names = asked.map(([, name]) => name);
    expect(names).toEqual(['commands', 'memory', 'open', 'memory', 'release', 'answered']);
  });
});
