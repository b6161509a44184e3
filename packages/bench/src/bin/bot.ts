// One of the measured bots in a process of its own: `bot <name> <port>`.
import { performance } from 'node:perf_hooks';
import { BOT_NAMES, type BotName, type StartBot } from '../bots/bench-bot.js';
import { rollAnswer } from '../platform/sample-data.js';
import { cpuMicros } from '../rounds/cpu.js';
import { answerParent } from '../rounds/parent-port.js';

// Only what the bot itself needs is loaded.
const starts: Record<BotName, () => Promise<StartBot>> = {
  floor: async () => (await import('../bots/floor-bot.js')).startFloorBot,
  client: async () => (await import('../bots/client-bot.js')).startClientBot,
  runtime: async () => (await import('../bots/runtime-bot.js')).startRuntimeBot,
};

const [name, port] = process.argv.slice(2);
const bot = BOT_NAMES.find((known) => known === name);
if (!bot) throw new Error(`There is no bot "${name}", only ${BOT_NAMES.join(', ')}.`);

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

const start = await starts[bot]();
await start({ port: Number(port), roll: rollAnswer, onMessage });

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
});
