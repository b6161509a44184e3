import { randomUUID } from 'node:crypto';
import { describeTaskAsks } from '../../runtime/test/conformance/task-asks.js';
import { redisStorage } from '../src/redis.js';
import { startRedis } from './redis-server.js';

describeTaskAsks(async () => {
  const redis = await startRedis();
  return {
    setting: redisStorage({ url: redis.url, name: randomUUID() }),
    async kill() {
      await redis.kill();
      await redis.start();
    },
    close: () => redis.close(),
  };
});
