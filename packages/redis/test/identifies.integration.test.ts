import { createGateway } from '@virgule/client/gateway';
import { systemClock, type Clock } from '@virgule/core/clock';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RedisTime } from '../src/bus/redis-time.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { createScaledBot, until } from './scaled-bot.js';

const HOUR_MS = 3_600_000;
const USED_UP = 'the identify budget is used up (2 a minute)';

let redis: RedisServer;
let platform: Simulator;
let bot: ReturnType<typeof createScaledBot>;
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(async () => {
  platform = await startSimulator({ port: null, profile: { sameTokenSockets: 'broadcast' } });
  bot = createScaledBot(redis.url);
});
afterEach(async () => {
  await bot.close();
  await platform.close();
});
afterAll(() => redis.close());

/** Starts a gateway that may identify twice a minute, and whose clock is this far ahead. */
async function start(name: string, mode: 'standby' | 'live', aheadMs = 0) {
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const waits: string[] = [];
  let known = (): number => 0;
  const { role } = await bot.gateway(name, {
    mode,
    clock,
    time: new RedisTime(clock),
    open(identifies) {
      known = () => identifies.read().length;
      return createGateway({
        token: platform.token,
        // A gateway on this machine has no budget.
        gatewayUrl: 'wss://chat.example',
        WebSocket: platform.WebSocket,
        profile: { identifies: { perMinute: 2, perDay: 5_000 } },
        identifies,
        clock,
      });
    },
    onStatus: (status) => {
      if (status.state === 'reconnecting') waits.push(status.reason);
    },
  });
  return { role, waits, known: () => known() };
}

const identified = (count: number): Promise<void> =>
  until(() => platform.counts.identifies === count, `identify ${count}`);

describe('the budget for IDENTIFY', () => {
  it('is shared by gateways that follow each other, whose clocks differ by an hour', async () => {
    for (const [index, aheadMs] of [-HOUR_MS, 0].entries()) {
      const { role } = await start(`gateway ${index}`, 'standby', aheadMs);
      await identified(index + 1);
      await role.close();
    }
    const { waits } = await start('last', 'standby', HOUR_MS);
    await until(() => waits.length > 0, 'a wait');
    expect(waits).toEqual([USED_UP]);
    expect(platform.counts.identifies).toBe(2);
  });

  it('is shared by gateways that are connected at the same time', async () => {
    const one = await start('one', 'live');
    await identified(1);
    const two = await start('two', 'live', HOUR_MS);
    await identified(2);
    await until(() => one.known() === 2, 'the first one knows of the second');
    platform.dropGateway();
    await until(() => one.waits.length > 0 && two.waits.length > 0, 'a wait of each');
    for (const { waits } of [one, two]) expect(waits).toEqual([expect.stringContaining(USED_UP)]);
    expect(platform.counts.identifies).toBe(2);
  });
});
