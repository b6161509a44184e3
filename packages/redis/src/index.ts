export { redis, type RedisOptions } from './redis.js';
