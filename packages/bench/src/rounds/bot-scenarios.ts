import { DISCORD_JS, installPeer } from '../peers/install-peer.js';
import { createBenchProject, NO_LOG, type BenchProject } from './bench-project.js';
import {
  COMMAND_METRICS,
  EVENT_METRICS,
  measureCommands,
  measureEvents,
  measurePlatform,
  measureStart,
  START_METRICS,
} from './measure.js';
import type { Contender, Sample, Scenario, ScenarioPlan, Settings } from './scenario.js';
import { openPair, type BotProgram, type MeasuredPair } from './open-pair.js';

/** Number of commands in flight at a time. */
const OUTSTANDING = 64;
const NETWORK_MS = 50;
const RATE_AND_CPU = ['perSecond', 'cpuMicros'] as const;

/** Measurement of a slice. */
interface Measure {
  readonly slice: (pair: MeasuredPair) => Promise<Sample>;
  /** Runs once in each process, until V8 has compiled the measured code. */
  readonly warmUp?: (pair: MeasuredPair) => Promise<unknown>;
  readonly slices?: number;
}
type Judged = Pick<Contender, 'targets' | 'aims'>;
type Columns = Pick<Scenario, 'about' | 'metrics' | 'ratios'>;

/** Returns a bot that runs in the same process during a round. */
export function contender(
  name: string,
  program: () => Promise<BotProgram>,
  { slice, warmUp }: Measure,
  judged: Judged = {},
): Contender {
  let opened: MeasuredPair | undefined;
  return {
    name,
    ...judged,
    async run() {
      if (!opened) {
        opened = await openPair(await program());
        if (warmUp) await opened.during(warmUp);
      }
      return opened.during(slice);
    },
    async close() {
      await opened?.close();
      opened = undefined;
    },
  };
}

/** The built bot next to the bot by hand, and to that of the checkout `base`. */
function builtScenario(
  columns: Columns,
  measure: Measure,
  { base }: Settings,
  rows: Readonly<Record<string, Judged & { readonly env?: Readonly<Record<string, string>> }>>,
): Scenario {
  const project = createBenchProject();
  const other = base === undefined ? undefined : createBenchProject({ checkout: base });
  const rowsOf = (from: BenchProject, suffix: string, isJudged: boolean): Contender[] =>
    Object.entries(rows).map(([name, { env, ...judged }]) =>
      contender(`${name}${suffix}`, () => from.built(env), measure, isJudged ? judged : {}),
    );
  return {
    ...columns,
    contenders: [
      contender('by hand', () => project.floor(), measure),
      ...rowsOf(project, '', true),
      ...(other ? rowsOf(other, ' (base)', false) : []),
    ],
    slices: measure.slices ?? 1,
    close: async () => void (await Promise.all([project.remove(), other?.remove()])),
  };
}

const warmUp =
  ({ warmUpCommands: count }: Settings) =>
  ({ platform }: MeasuredPair) =>
    platform.ask('commands', { count, outstanding: OUTSTANDING, delayMs: 0 });

export const commandsOf = (settings: Settings): Measure => {
  const load = { count: settings.commands, outstanding: OUTSTANDING, delayMs: 0 };
  return {
    slice: (pair) => measureCommands(pair, load),
    warmUp: warmUp(settings),
    slices: settings.slices,
  };
};

const eventsOf = ({ events: count, warmUpEvents, slices }: Settings): Measure => ({
  slice: (pair) => measureEvents(pair, count),
  warmUp: ({ platform }) => platform.ask('events', warmUpEvents),
  slices,
});

const commands: ScenarioPlan = {
  id: 'commands',
  title: `Commands, ${OUTSTANDING} at a time`,
  prepare: (settings) =>
    builtScenario(
      {
        about:
          'Measured from the frame on the socket to the answer on the wire. The hand-written bot does the minimum with ws, an undici Pool, JSON.parse and a Map. The other bots are the output of `virgule build`, with 100 commands that each have two validated options.',
        metrics: COMMAND_METRICS,
        ratios: RATE_AND_CPU,
      },
      commandsOf(settings),
      settings,
      {
        'virgule, no log': {
          env: NO_LOG,
          targets: { perSecond: 0.9, cpuMicros: 1.3 },
          aims: { cpuMicros: 1.2 },
        },
        'virgule, a log line per command': {
          targets: { perSecond: 0.75, cpuMicros: 1.45 },
          aims: { cpuMicros: 1.4 },
        },
      },
    ),
};

const network: ScenarioPlan = {
  id: 'network',
  title: `Commands, ${OUTSTANDING} at a time, with ${NETWORK_MS} ms of network latency`,
  prepare(settings) {
    const { delayedCommands: count } = settings;
    const load = { count, outstanding: OUTSTANDING, delayMs: NETWORK_MS };
    return builtScenario(
      {
        about: `The platform confirms each answer after ${NETWORK_MS} ms. A bot whose answers wait for each other falls far behind here.`,
        metrics: ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms'],
        ratios: ['perSecond'],
      },
      { slice: (pair) => measureCommands(pair, load), warmUp: warmUp(settings), slices: 2 },
      settings,
      { 'virgule, a log line per command': { targets: { perSecond: 0.95 } } },
    );
  },
};

const events: ScenarioPlan = {
  id: 'events',
  title: 'Events (MESSAGE_CREATE)',
  prepare: (settings) =>
    builtScenario(
      {
        about: 'Measured from the socket to a handler, as fast as the bot accepts events.',
        metrics: EVENT_METRICS,
        ratios: RATE_AND_CPU,
      },
      eventsOf(settings),
      settings,
      { virgule: { targets: { cpuMicros: 1.1 }, aims: { cpuMicros: 1.05 } } },
    ),
};

const start: ScenarioPlan = {
  id: 'start',
  title: 'Startup of a built bot',
  prepare: (settings) =>
    builtScenario(
      {
        about:
          'Measured from the start of the process to its IDENTIFY, with 100 commands. CPU time and memory are read one second later. The hand-written bot imports a file for each command.',
        metrics: START_METRICS,
        ratios: START_METRICS,
      },
      { slice: measureStart },
      settings,
      { virgule: { targets: { startMs: 0.9, startCpuMs: 1.2, rssMiB: 1.2 } } },
    ),
};

const simulator: ScenarioPlan = {
  id: 'simulator',
  title: 'The simulator',
  prepare(settings) {
    const { commands: count, slices } = settings;
    const project = createBenchProject();
    const env = { BENCH_INTENTS: 'APPLICATION_COMMANDS' };
    const load = { count, outstanding: OUTSTANDING, delayMs: 0 };
    const row = (name: string, platform: 'bot-interface' | 'simulator', judged: Judged = {}) =>
      contender(
        name,
        async () => ({ ...(await project.floor(env)), platform }),
        { slice: (pair) => measurePlatform(pair, load), warmUp: warmUp(settings) },
        judged,
      );
    return {
      about:
        'Commands per second with the hand-written bot, which subscribes only to commands. CPU is the CPU time of the platform. The bare platform of this bench parses HTTP itself, because node:http would use half as much CPU time again. It checks the content of answers, but neither tokens nor schemas, and stores nothing. The simulator checks every request and stores the state of a whole platform.',
      metrics: ['perSecond', 'cpuMicros', 'p50Ms', 'p99Ms'],
      ratios: RATE_AND_CPU,
      contenders: [
        row('bare platform', 'bot-interface'),
        row('simulator', 'simulator', { targets: { perSecond: 0.5 } }),
      ],
      slices,
      close: () => project.remove(),
    };
  },
};

const PEER = `${DISCORD_JS.name} ${DISCORD_JS.version}`;

/** Returns a scenario that compares a library for another platform with a bot written by hand for it. */
const peerPlan = (
  id: string,
  what: string,
  columns: Columns,
  measureOf: (settings: Settings) => Measure,
): ScenarioPlan => ({
  id,
  title: `${PEER}: ${what}`,
  async prepare(settings) {
    const { folder, close } = await installPeer({
      packages: [`${DISCORD_JS.name}@${DISCORD_JS.version}`],
    });
    const measure = measureOf(settings);
    const bot = { platform: 'discord', env: { BENCH_PEER: folder } } as const;
    const row = (name: string, program: string): Contender =>
      contender(name, async () => ({ ...bot, program }), measure);
    return {
      ...columns,
      contenders: [row('by hand, for Discord', 'discord-floor-bot'), row(PEER, 'discord-js-bot')],
      slices: settings.slices,
      close,
    };
  },
});

const peerCommands = peerPlan(
  'peer-commands',
  'commands',
  {
    about: `Like the first table, but on a fake of the platform that this library is made for, next to a bot hand-written for that platform. ${PEER} runs with its defaults.`,
    metrics: COMMAND_METRICS,
    ratios: RATE_AND_CPU,
  },
  commandsOf,
);

const peerEvents = peerPlan(
  'peer-events',
  'events',
  {
    about: 'MESSAGE_CREATE events of that platform, whose size differs from ours.',
    metrics: EVENT_METRICS,
    ratios: RATE_AND_CPU,
  },
  eventsOf,
);

/** Scenarios with bots in processes, which run like those of users. */
export const BOT_SCENARIOS: readonly ScenarioPlan[] = [commands, network, events, start, simulator];
export const PEER_SCENARIOS: readonly ScenarioPlan[] = [peerCommands, peerEvents];
