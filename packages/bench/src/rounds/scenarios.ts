import { measureCooldowns, measureDeadlines, measureMap } from '../growth/measure-growth.js';
import { createPending, createStored } from '../growth/measure-stored.js';
import { measureScale, SCALE_METRICS } from '../scale/measure-scale.js';
import { runStorm } from '../storm/run-storm.js';
import { testBots } from '../test-bots/test-bot-scenario.js';
import { BOT_SCENARIOS, PEER_SCENARIOS } from './bot-scenarios.js';
import { recording } from './recording-scenario.js';
import type { Contender, ScenarioPlan } from './scenario.js';

const STORM = { limit: 5, windowMs: 5_000, channels: 20, messages: 2_000 };

const storm: ScenarioPlan = {
  id: 'storm',
  title: 'Rate limits: 2,000 messages at once',
  prepare() {
    let seed = 0;
    return {
      about:
        'The messages go to 20 channels that each accept 5 messages in 5 s, on a simulated clock. The first row uses each window in full from its first millisecond, which requires knowing the limit.',
      metrics: ['totalSeconds', 'refused'],
      ratios: ['totalSeconds'],
      contenders: [
        {
          name: 'in theory',
          run: async () => {
            const { limit, windowMs, channels, messages } = STORM;
            const windows = messages / channels / limit;
            return { values: { totalSeconds: ((windows - 1) * windowMs) / 1_000, refused: 0 } };
          },
        },
        {
          name: '@virgule/client',
          targets: { totalSeconds: 1.1 },
          run: async () => {
            seed += 1;
            const { totalMs, refused } = await runStorm({ ...STORM, seed });
            return { values: { totalSeconds: totalMs / 1_000, refused } };
          },
        },
      ],
    };
  },
};

const GROWTH_METRICS = ['cpuMicros'] as const;

const cooldowns: ScenarioPlan = {
  id: 'cooldowns',
  title: 'Cooldowns in use',
  prepare: () => ({
    about:
      'The CPU time of one cooldown check for different numbers of stored keys. The first row is the lookup alone.',
    metrics: GROWTH_METRICS,
    ratios: GROWTH_METRICS,
    contenders: [
      { name: 'a Map, 1,000,000 keys', run: () => measureMap(1_000_000) },
      { name: 'cooldowns, 1,000 keys', run: () => measureCooldowns(1_000) },
      {
        name: 'cooldowns, 1,000,000 keys',
        targets: { cpuMicros: 3 },
        run: () => measureCooldowns(1_000_000),
      },
    ],
  }),
};

const deadlines: ScenarioPlan = {
  id: 'deadlines',
  title: 'Simultaneous deadlines',
  prepare: () => ({
    about:
      'The CPU time of setting and reaching one deadline, for different numbers of deadlines that are due at the same moment.',
    metrics: GROWTH_METRICS,
    ratios: GROWTH_METRICS,
    contenders: [
      { name: '500 deadlines', run: () => measureDeadlines(500) },
      { name: '50,000 deadlines', targets: { cpuMicros: 4 }, run: () => measureDeadlines(50_000) },
    ],
  }),
};

const STORED_METRICS = ['openMs', 'cpuMicros'] as const;

const storage: ScenarioPlan = {
  id: 'storage',
  title: 'Growing storage',
  prepare() {
    const few = createStored(1_000);
    const many = createStored(1_000_000);
    return {
      about:
        'With SQLite: the time to open the file and read one entry, and the CPU time of reading an entry, for different numbers of entries.',
      metrics: STORED_METRICS,
      ratios: STORED_METRICS,
      contenders: [
        { name: '1,000 entries', run: () => few.measure() },
        {
          name: '1,000,000 entries',
          targets: { openMs: 2, cpuMicros: 2 },
          run: () => many.measure(),
        },
      ],
      close: async () => void (await Promise.all([few.delete(), many.delete()])),
    };
  },
};

const tasks: ScenarioPlan = {
  id: 'tasks',
  title: 'Pending tasks',
  prepare() {
    const few = createPending(1_000);
    const many = createPending(100_000);
    return {
      about:
        'With SQLite: the time to open the file and look for due runs, and the CPU time of looking again, which reads the next 100 runs, for different numbers of pending runs.',
      metrics: STORED_METRICS,
      ratios: STORED_METRICS,
      contenders: [
        { name: '1,000 runs', run: () => few.measure() },
        { name: '100,000 runs', targets: { openMs: 2, cpuMicros: 2 }, run: () => many.measure() },
      ],
      close: async () => void (await Promise.all([few.delete(), many.delete()])),
    };
  },
};

const workers: ScenarioPlan = {
  id: 'workers',
  title: 'Workers over Redis',
  prepare({ scaledCommands }) {
    const contender = (name: string, count: number): Contender => ({
      name,
      run: () => measureScale(count, scaledCommands),
    });
    return {
      about:
        'The times are measured at 200 commands a second, and the rate with all commands at the same time. The memory is that of one worker. The platform, the bot and Redis, which writes each command to disk, share the machine.',
      metrics: SCALE_METRICS,
      ratios: ['perSecond'],
      added: ['p50Ms', 'p99Ms'],
      contenders: [
        contender('one process', 0),
        contender('1 gateway, 1 worker', 1),
        { ...contender('1 gateway, 2 workers', 2), addedTargets: { p50Ms: 1, p99Ms: 10 } },
        contender('1 gateway, 4 workers', 4),
      ],
    };
  },
};

/** All scenarios, in the order of the output. */
export const SCENARIOS: readonly ScenarioPlan[] = [
  ...BOT_SCENARIOS,
  recording,
  storm,
  cooldowns,
  deadlines,
  storage,
  tasks,
  workers,
  testBots,
  ...PEER_SCENARIOS,
];
