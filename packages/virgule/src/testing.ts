export {
  createTestBot,
  type TestBot,
  type TestBotOptions,
  type TestFile,
  type TestRun,
  type TestRunOptions,
} from './testing/create-test-bot.js';

// A clock that a test advances, for the `clock` of a test bot.
export {
  createFakeClock,
  type Clock,
  type FakeClock,
  type FakeClockOptions,
} from '@virgule/core/clock';
