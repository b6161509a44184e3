export { redisErrors } from './errors/redis-errors.js';
