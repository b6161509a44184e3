export { createTestBot, type TestBotOptions } from './testing/create-test-bot.js';
export type {
  AnyCommand,
  OptionsOf,
  TestActor,
  TestBot,
  TestCommands,
  TestFile,
  TestResult,
  TestRun,
  TestSaid,
  TestTimings,
} from './testing/test-bot.js';
export type { TestCall } from './testing/activity-records.js';
export type { TestClock } from './testing/test-clock.js';

export { invoke, type InvokeContext, type Invoked, type InvokedCommand } from './testing/invoke.js';
export { matchers, type ChatMatchers } from './testing/matchers.js';

// For the option `profile`: how else the platform may behave.
export { PROFILES, type ProfileName } from '@virgule/core/protocol';

// For the option `clock`: a clock that a test advances is the default.
export {
  createFakeClock,
  systemClock,
  type Clock,
  type FakeClock,
  type FakeClockOptions,
} from '@virgule/core/clock';
