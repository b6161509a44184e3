import { createFakeClock } from '@virgule/core/clock';
import { createRedactor } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { projectOf } from '../../test/project-of.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { createMemoryConcurrency } from '../command/throttle/concurrency-store.js';
import type { ResolvedConfig } from '../config/read-config.js';
import { createMemoryDriver, memory } from '../storage/memory-storage.js';
import { composeBot } from './compose-bot.js';

const clock = createFakeClock();
const driver = createMemoryDriver(() => clock.now());
const shared = {
  storage: { name: 'Redis', open: async () => driver },
  concurrency: createMemoryConcurrency(),
};

async function openWorker(config: ResolvedConfig) {
  const read = {
    project: await projectOf({}),
    createServices: null,
    manifest: { services: null },
    config,
    env: { values: {} },
  };
  const { rest } = createFakeRest();
  const log = createRecordedLog();
  const tools = { rest, log, clock, random: () => 0, redact: createRedactor(), shared };
  return composeBot(read, tools);
}

describe('a bot of several processes', () => {
  it('shares its cooldowns, also with a storage of its own', async () => {
    const [one, two] = [await openWorker({}), await openWorker({ storage: memory() })];
    expect(await one.cooldowns?.count('/daily', 1, { everyMs: 60_000, limit: 1 })).toBe(0);
    expect(await two.cooldowns?.count('/daily', 1, { everyMs: 60_000, limit: 1 })).toBe(60_000);
    expect(two.concurrency).toBe(shared.concurrency);
  });
});
