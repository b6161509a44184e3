// Internal: for packages of this repository, without a semver promise.
export type { Clock, SleepOptions, Timer, TimerOptions } from './clock/clock.js';
export { soon, turn } from './clock/real-time.js';
export { systemClock } from './clock/system-clock.js';
export {
  createFakeClock,
  isFakeClock,
  type AdvanceOptions,
  type FakeClock,
  type FakeClockOptions,
} from './clock/fake-clock.js';
export { createDeadlines, type Deadline, type Deadlines } from './clock/deadlines.js';
export { settlesWithin } from './clock/settles-within.js';
export { LIMIT_JITTER_MS, retryPauseMs } from './clock/retry-pause.js';
export { systemRandom } from './clock/system-random.js';
