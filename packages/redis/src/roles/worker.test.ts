import type { GatewayEvent } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { expect, it } from 'vitest';
import type { Bus, Delivery } from '../bus/bus.js';
import { RedisTime } from '../bus/redis-time.js';
import type { Connection } from '../connection/connection.js';
import { createWorker } from './worker.js';

const READY = {
  applicationId: 'a',
  botUserId: 'b',
  username: 'dice',
  displayName: 'Dice',
  serverIds: [],
};
const delivery = (id: string, atMs: number): Delivery => ({
  stream: 'commands',
  partition: 'commands',
  id,
  version: 1,
  body: JSON.stringify({
    t: 'APPLICATION_COMMAND',
    d: { interactionId: id, name: 'x' },
    atMs,
  }),
});

it('does not run what it read before it was suspended, unless it still has it', async () => {
  const clock = createFakeClock();
  const reads: ((deliveries: Delivery[]) => void)[] = [];
  const reader = { ready: async () => {}, close: () => {} };
  const bus = {
    createGroups: async () => {},
    readReady: async () => READY,
    beat: async () => ({ nowMs: clock.monotonic(), share: 16, partitions: [], isLate: false }),
    reclaim: async () => [],
    read: () => new Promise<Delivery[]>((resolve) => void reads.push(resolve)),
    readAgain: async () => [delivery('mine', clock.monotonic())],
    isDeferred: async () => false,
    acknowledge: async () => {},
    leave: async () => {},
  };
  const ran: unknown[] = [];
  const worker = createWorker({
    // What a worker without events uses of them.
    bus: bus as unknown as Bus,
    openReader: () => reader as unknown as Connection,
    time: new RedisTime(clock),
    clock,
    log: silentLog,
    concurrency: 5,
    maxAgeMs: 900_000,
  });
  await worker.connect({
    dispatch({ d, queued }: GatewayEvent) {
      ran.push(Object(d).interactionId);
      queued?.ended();
    },
  });
  await clock.advance(200);
  reads.shift()?.([delivery('in time', clock.monotonic())]);
  await clock.advance(200);
  expect(ran).toEqual(['in time']);
  clock.stall(5_000);
  reads.shift()?.([
    delivery('claimed by another one', clock.monotonic()),
    delivery('mine', clock.monotonic()),
  ]);
  await clock.advance(1_000);
  expect(ran).toEqual(['in time', 'mine']);
  void worker.close();
  reads.shift()?.([]);
  await clock.advance(5_000);
});
