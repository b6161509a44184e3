import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBenchProject } from '../src/rounds/bench-project.js';
import { openPair, type MeasuredPair } from '../src/rounds/open-pair.js';

/**
 * Work of a built bot for one command with two options, its answer and its log line. It contains that of ws and undici.
 *
 * A figure that is exceeded is a regression: find its cause. Write another figure here only if the commit says which
 * feature needs it, or if the bot does less than before. `BYTES` depends on the version of V8; take it from the
 * failure of this test on Node.js 20.
 */
const BUDGET = {
  /** System calls that write to a socket. */
  writes: 1,
  /** `setTimeout` and `setInterval`, without those of undici for idle connections. */
  timers: 0,
  promises: 10,
};
/** Bytes of heap, without optimized code, so that they do not depend on when V8 compiles. */
const BYTES = { node: '20', each: 29_780, noise: 120 };

/** Work for an event whose handler has no options and ends at once. */
const EVENT_BUDGET = { writes: 0, timers: 0, promises: 0 };

const COMMANDS = 1_000;
const EVENTS = 6_400;
const WARM_UP = 1_500;
const WINDOWS = 5;
const COUNTER = fileURLToPath(new URL('../dist/bin/count-work.js', import.meta.url));
const FLAGS = ['--expose-gc', '--no-opt', '--min-semi-space-size=128', '--max-semi-space-size=128'];

const project = createBenchProject();
let pair: MeasuredPair;

/** Each event and each response arrives alone, so that all commands take the same path on any machine. */
const LOAD = { outstanding: 1, delayMs: 1, pauseMs: 1 };
const run = (count = COMMANDS) =>
  pair.during(({ platform }) => platform.ask('commands', { count, ...LOAD }));

beforeAll(async () => {
  const execArgv = [...FLAGS, '--import', pathToFileURL(COUNTER).href];
  pair = await openPair({ ...(await project.built()), execArgv });
  await run(WARM_UP);
  return () => pair.close();
});
afterAll(() => project.remove());

/** Returns the work for each of `times` repetitions. */
async function countEach(times: number, work: () => Promise<unknown>) {
  await pair.bot.ask('beginCounts');
  await work();
  const counts = await pair.bot.ask<Record<string, number>>('counts');
  // Timers of the process and of this measurement are a few.
  const each = Object.entries(counts).map(([name, count]) => [name, Math.round(count / times)]);
  return Object.fromEntries(each);
}

describe('an event of a built bot', () => {
  it('creates no timers and no promises', async () => {
    const send = () => pair.during(({ platform }) => platform.ask('events', EVENTS));
    expect(await countEach(EVENTS, send)).toEqual(EVENT_BUDGET);
  });
});

describe('a command of a built bot', () => {
  it('writes once, and creates a fixed number of timers and promises', async () => {
    expect(await countEach(COMMANDS, run)).toEqual(BUDGET);
  });

  it.runIf(process.versions.node.startsWith(`${BYTES.node}.`))(
    'allocates a fixed number of bytes',
    async () => {
      const windows: number[] = [];
      while (windows.length < WINDOWS) {
        await pair.bot.ask('beginHeap');
        await run();
        const { bytes, collections } = await pair.bot.ask<Record<string, number>>('heap');
        expect(collections).toBe(0);
        windows.push((bytes ?? Number.NaN) / COMMANDS);
      }
      // Timers of the process only add to it.
      const each = Math.min(...windows);
      expect(each).toBeLessThan(BYTES.each + BYTES.noise);
      expect(each, 'write the lower figure into the budget').toBeGreaterThan(BYTES.each * 0.97);
    },
  );
});
