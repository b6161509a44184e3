import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Bus } from '../bus/bus.js';
import type { RedisTime } from '../bus/redis-time.js';

export interface RoleParts {
  readonly bus: Bus;
  readonly time: RedisTime;
  readonly clock: Clock;
  readonly log: Log;
}
