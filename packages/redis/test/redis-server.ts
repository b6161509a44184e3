import { inject } from 'vitest';
import { startRedisServer, type RedisServer } from '../../bench/src/scale/redis-server.js';

export type { RedisServer };

/** Starts a Redis. `settings` are lines of redis.conf: `['appendonly yes']`. Fails if none is installed. */
export const startRedis = (settings?: readonly string[]): Promise<RedisServer> =>
  startRedisServer(inject('redisServer'), settings);
