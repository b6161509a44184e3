// Runs a measured bot in a separate process: `bot <JSON>`.
import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { BOT_NAMES, type BotName, type StartBot } from '../bots/bench-bot.js';
import { rollAnswer } from '../platform/sample-data.js';
import { cpuMicros } from '../rounds/cpu.js';
import { answerParent } from '../rounds/parent-port.js';

// Loads only what the selected bot needs.
const starts: Record<BotName, () => Promise<StartBot>> = {
  floor: async () => (await import('../bots/floor-bot.js')).startFloorBot,
  'floor-log': async () => {
    const { fastLog, floorBot } = await import('../bots/floor-bot.js');
    return floorBot(fastLog());
  },
  client: async () => (await import('../bots/client-bot.js')).startClientBot,
  runtime: () => runtime({}),
  'runtime-middleware': () => runtime({ middleware: true }),
  'runtime-log': () => runtime({ log: true }),
  'runtime-middleware-log': () => runtime({ middleware: true, log: true }),
  'runtime-many': () => runtime({ middleware: true, commands: 100 }),
  'discord-floor': async () => (await import('../bots/discord-floor-bot.js')).startDiscordFloorBot,
  'discord.js': async () => (await import('../bots/discord-js-bot.js')).discordJsBot(folder),
};

async function runtime({ middleware = false, log = false, commands = 0 }): Promise<StartBot> {
  const { runtimeBot } = await import('../bots/runtime-bot.js');
  // Like `virgule start`: log lines on standard output, and the same heap setting after the start.
  const { allocateYoung, createLog } = await import('@virgule/runtime/process');
  const layers = { middleware, commands, ...(log && { log: createLog({ buffered: true }) }) };
  const startBot = runtimeBot(layers);
  return async (options) => {
    const bot = await startBot(options);
    allocateYoung();
    return bot;
  };
}

// Passed by `withPair`.
const { name, port, token, folder, intents } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly name: string;
  readonly port: number;
  readonly token?: string;
  readonly folder: string;
  readonly intents?: readonly string[];
};
const bot = BOT_NAMES.find((known) => known === name);
if (!bot) throw new Error(`There is no bot "${name}"; use one of ${BOT_NAMES.join(', ')}.`);

let seen = 0;
let awaited = 0;
let first = { atMs: 0, cpu: 0 };
let onLast: ((figures: { perSecond: number; cpuMicros: number }) => void) | undefined;

function onMessage(): void {
  seen += 1;
  if (seen === 1) first = { atMs: performance.now(), cpu: cpuMicros() };
  if (seen !== awaited) return;
  const seconds = (performance.now() - first.atMs) / 1_000;
  onLast?.({ perSecond: awaited / seconds, cpuMicros: (cpuMicros() - first.cpu) / awaited });
}

/** Returns the memory in use after garbage collections. Requires `--expose-gc`. */
async function memory(): Promise<{ heapBytes: number; rssBytes: number }> {
  for (let times = 0; times < 3; times += 1) {
    globalThis.gc?.();
    await turn();
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heapBytes: heapUsed, rssBytes: rss };
}

let release: () => void = () => {};
const released = new Promise<void>((resolve) => (release = resolve));

const start = await starts[bot]();
await start({ port, token, intents, roll: rollAnswer, released, onMessage });

let events: Promise<unknown> | undefined;
answerParent({
  ready: () => true,
  cpu: cpuMicros,
  peakMiB: () => process.resourceUsage().maxRSS / 1_024,
  expectEvents(count: number) {
    seen = 0;
    awaited = count;
    events = new Promise((resolve) => (onLast = resolve));
  },
  events: () => events,
  memory,
  release: () => release(),
});
