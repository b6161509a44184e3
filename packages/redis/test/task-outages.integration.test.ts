import { randomUUID } from 'node:crypto';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { afterAll, beforeAll } from 'vitest';
import { describeTaskOutages } from '../../runtime/test/conformance/task-outages.js';
import { redisStorage } from '../src/redis.js';
import { startRedis, type RedisServer } from './redis-server.js';

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

describeTaskOutages('in Redis', () =>
  redisStorage({ url: redis.url, name: randomUUID() }).open({
    clock: systemClock,
    log: silentLog,
    root: '.',
  }),
);
