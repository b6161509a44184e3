export { createTestBot } from './testing/create-test-bot.js';
export type {
  AnyCommand,
  OptionsOf,
  RestartOptions,
  RunOptions,
  TestActor,
  TestBot,
  TestBotOptions,
  TestCommands,
  TestFile,
  TestResult,
  TestRun,
  TestSaid,
  TestTimings,
} from './testing/test-bot.js';
export type { TestCall, TestCalled } from './testing/activity-records.js';
export type { TestReplay } from './testing/replay.js';
export type { TestClock } from './testing/test-clock.js';

export { matchers, type ChatMatchers } from './testing/matchers.js';

// Values of the option `profile`, which selects another behavior of the platform.
export { PROFILES } from '@virgule/core/protocol';

// Values of the option `clock`, whose default is a clock that a test advances.
export {
  createFakeClock,
  systemClock,
  type Clock,
  type FakeClock,
  type FakeClockOptions,
} from '@virgule/core/clock';
