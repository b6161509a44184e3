export { redis, redisStorage, type RedisOptions, type RedisStorageOptions } from './redis.js';
