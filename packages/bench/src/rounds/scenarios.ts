import type { BotName } from '../bots/bench-bot.js';
import { createStartProjects } from '../projects/start-projects.js';
import { measureCooldowns, measureDeadlines, measureMap } from '../growth/measure-growth.js';
import { createPending, createStored } from '../growth/measure-stored.js';
import { measureScale, SCALE_METRICS } from '../scale/measure-scale.js';
import { runStorm } from '../storm/run-storm.js';
import { testBots } from '../test-bots/test-bot-scenario.js';
import { commandContender, eventContender, OUTSTANDING, RATE_AND_CPU } from './contenders.js';
import { COMMAND_METRICS, measurePlatform } from './measure-commands.js';
import { EVENT_METRICS } from './measure-events.js';
import { measureMemory, MEMORY_METRICS } from './measure-memory.js';
import { measureStart, START_METRICS } from './measure-start.js';
import { withPair } from './measured-pair.js';
import { peerCommands, peerEvents } from './peer-scenarios.js';
import type { Contender, ScenarioPlan } from './scenario.js';

const NETWORK_MS = 50;

const commands: ScenarioPlan = {
  id: 'commands',
  title: `Commands, ${OUTSTANDING} at a time`,
  prepare: (size) => ({
    about:
      'From the frame on the socket to the answer on the wire. The first rows are written by hand: ws, an undici Pool, JSON.parse, a Map, and pino for the lines. The others do the same work and have two checked options.',
    metrics: COMMAND_METRICS,
    ratios: RATE_AND_CPU,
    contenders: [
      commandContender('by hand', { bot: 'floor' }, size),
      commandContender('by hand, a log line per command', { bot: 'floor-log' }, size),
      commandContender('@virgule/client', { bot: 'client' }, size, {
        targets: { perSecond: 1, cpuMicros: 1 },
      }),
      commandContender('virgule, no log', { bot: 'runtime' }, size, {
        targets: { perSecond: 0.92, cpuMicros: 1.1 },
      }),
      commandContender('virgule, a log line per command', { bot: 'runtime-log' }, size, {
        targets: { perSecond: 0.85, cpuMicros: 1.2 },
      }),
      commandContender(
        'virgule, 100 commands, middleware, services',
        { bot: 'runtime-many' },
        size,
        {
          targets: { perSecond: 0.85 },
        },
      ),
    ],
  }),
};

const network: ScenarioPlan = {
  id: 'network',
  title: `Commands, ${OUTSTANDING} at a time, with ${NETWORK_MS} ms of network`,
  prepare(size) {
    const delayed = { count: size.delayedCommands, delayMs: NETWORK_MS };
    const reached = { ...delayed, targets: { perSecond: 0.95 } };
    const client = { ...delayed, targets: { perSecond: 0.98 } };
    return {
      about: `The platform confirms each answer ${NETWORK_MS} ms later. A bot whose answers wait for each other falls far behind here.`,
      metrics: ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms'],
      ratios: ['perSecond'],
      contenders: [
        commandContender('by hand', { bot: 'floor' }, size, delayed),
        commandContender('@virgule/client', { bot: 'client' }, size, client),
        commandContender('virgule, no log', { bot: 'runtime' }, size, reached),
        commandContender('virgule, a log line per command', { bot: 'runtime-log' }, size, reached),
      ],
    };
  },
};

const ladder: ScenarioPlan = {
  id: 'ladder',
  title: 'Cost of each layer',
  prepare: (size) => ({
    about:
      'Each row adds one layer to the row above. The command without options is `/ping`; those with options are `/roll`.',
    metrics: RATE_AND_CPU,
    ratios: RATE_AND_CPU,
    isLadder: true,
    contenders: [
      commandContender('by hand', { bot: 'floor' }, size),
      commandContender('@virgule/client', { bot: 'client' }, size),
      commandContender('+ runtime, no options', { bot: 'runtime' }, size, { name: 'ping' }),
      commandContender('+ two options, zod', { bot: 'runtime' }, size),
      commandContender('+ middleware', { bot: 'runtime-middleware' }, size),
      commandContender('+ a log line per command', { bot: 'runtime-middleware-log' }, size),
    ],
  }),
};

const events: ScenarioPlan = {
  id: 'events',
  title: 'Events (MESSAGE_CREATE)',
  prepare: (size) => ({
    about: 'From the socket to a handler, as fast as the bot accepts them.',
    metrics: EVENT_METRICS,
    ratios: RATE_AND_CPU,
    contenders: [
      eventContender('by hand', { bot: 'floor' }, size),
      eventContender('@virgule/client', { bot: 'client' }, size, {
        perSecond: 0.97,
        cpuMicros: 1.05,
      }),
      eventContender('virgule', { bot: 'runtime' }, size, { perSecond: 0.97, cpuMicros: 1.05 }),
    ],
  }),
};

const memory: ScenarioPlan = {
  id: 'memory',
  title: 'Memory of open interactions',
  prepare({ open }) {
    const contender = (name: string, bot: BotName): Contender => ({
      name,
      run: () => withPair({ bot, execArgv: ['--expose-gc'] }, (pair) => measureMemory(pair, open)),
    });
    return {
      about: `${open.toLocaleString('en-US')} interactions are deferred and wait for their answer; at the end each of them receives the right one.`,
      metrics: MEMORY_METRICS,
      ratios: ['heapBytesEach', 'rssMiB'],
      contenders: [
        contender('by hand', 'floor'),
        contender('@virgule/client', 'client'),
        contender('virgule', 'runtime'),
      ],
    };
  },
};

const start: ScenarioPlan = {
  id: 'start',
  title: 'Start of a built bot',
  async prepare({ files }) {
    const projects = await createStartProjects(files);
    const { folder } = projects;
    return {
      about: `From the start of the process to its IDENTIFY, with ${files} command files; CPU time and memory are read one second later. The bot by hand imports its files, the other bot is the output of \`virgule build\`.`,
      metrics: START_METRICS,
      ratios: START_METRICS,
      contenders: [
        { name: 'by hand', run: () => measureStart(projects.floor, folder) },
        {
          name: 'virgule build',
          targets: { startMs: 1.3, rssMiB: 1.2 },
          run: () => measureStart(projects.built, folder),
        },
      ],
      close: projects.close,
    };
  },
};

const simulator: ScenarioPlan = {
  id: 'simulator',
  title: 'The simulator',
  prepare(size) {
    const load = {
      name: 'roll',
      count: size.commands,
      outstanding: OUTSTANDING,
      delayMs: 0,
    } as const;
    const contender = (name: string, platform: 'bot-interface' | 'simulator'): Contender => ({
      name,
      run: () =>
        withPair({ bot: 'floor', platform, intents: ['APPLICATION_COMMANDS'] }, (pair) =>
          measurePlatform(pair, load, size.warmUpCommands),
        ),
    });
    return {
      about:
        'Commands per second with the bot by hand; CPU is the CPU time of the platform. The bot subscribes to commands only. The bare platform of this bench parses HTTP itself; node:http would cost it half as much CPU time again. It checks the content of answers, but neither tokens nor schemas, and stores nothing; the simulator checks every request and stores the state of a whole platform.',
      metrics: ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms'],
      ratios: RATE_AND_CPU,
      contenders: [
        contender('bare platform', 'bot-interface'),
        { ...contender('simulator', 'simulator'), targets: { perSecond: 0.5 } },
      ],
    };
  },
};

const STORM = { limit: 5, windowMs: 5_000, channels: 20, messages: 2_000 };

const storm: ScenarioPlan = {
  id: 'storm',
  title: 'Rate limits: 2,000 messages at once',
  prepare() {
    let seed = 0;
    return {
      about:
        '20 channels that accept 5 messages in 5 s each, on a simulated clock. The first row uses each window in full from its first millisecond, which requires knowing the limit.',
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
  title: 'Cooldowns that are kept',
  prepare: () => ({
    about:
      'The CPU time of one check of a cooldown, by the number of keys that are kept; the first row is the lookup alone.',
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
  title: 'Deadlines that are due at once',
  prepare: () => ({
    about:
      'The CPU time of setting one deadline and of reaching it, by the number that is due in the same moment.',
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
  title: 'A storage that grows',
  prepare() {
    const few = createStored(1_000);
    const many = createStored(1_000_000);
    return {
      about:
        'SQLite: the time to open the file and read one entry, and the CPU time of reading an entry, by the number of entries.',
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
  title: 'Tasks that are pending',
  prepare() {
    const few = createPending(1_000);
    const many = createPending(100_000);
    return {
      about:
        'SQLite: the time to open the file and look for runs that are due, and the CPU time of looking again, which reads the next 100, by the number of pending runs.',
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
        'The times are at 200 commands a second, the rate is measured with all commands at once; the memory is the memory of one worker. The platform, the bot and Redis, which writes each command to the disk, share the machine.',
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
  commands,
  network,
  ladder,
  events,
  memory,
  start,
  simulator,
  storm,
  cooldowns,
  deadlines,
  storage,
  tasks,
  workers,
  testBots,
  peerCommands,
  peerEvents,
];
