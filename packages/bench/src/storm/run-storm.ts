import { createRest } from '@virgule/client/rest';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { seededRandom } from '../soak/seeded-random.js';
import { createLimitedPlatform, type ChannelLimit } from './limited-platform.js';

export interface StormOptions extends ChannelLimit {
  readonly channels: number;
  /** In all, the same number in each channel. */
  readonly messages: number;
  readonly seed: number;
}

export interface StormResult {
  /** From the first request to the last answer, in milliseconds of the simulated clock. */
  readonly totalMs: number;
  /** Least time, when each window is used in full from its first millisecond. */
  readonly minimumMs: number;
  /** Requests that were answered 429. */
  readonly refused: number;
}

const LATENCY_MS = 5;
const STEP_MS = 10;

/** 100,000 channels fit: the last twelve digits of an id. */
const channelId = (index: number): string =>
  `5e9b3c17-a264-4d80-b91e-${String(index).padStart(12, '0')}`;

/** Sends all messages at once, to channels that accept a few in each window, on a simulated clock. */
export async function runStorm(options: StormOptions): Promise<StormResult> {
  const { channels, messages, limit, windowMs, seed } = options;
  const clock = createFakeClock();
  const platform = createLimitedPlatform(options, clock, LATENCY_MS);
  const rest = createRest({
    token: 'made-up-token-of-the-bench',
    baseUrl: 'http://platform.test',
    clock,
    random: seededRandom(seed),
    dispatcher: platform,
    deadlineMs: 3_600_000,
    log: silentLog,
  });
  const perChannel = Math.ceil(messages / channels);
  let isDone = false;
  const sent = Promise.all(
    Array.from({ length: messages }, (_value, index) =>
      rest.messages.send(channelId(index % channels), { content: String(index) }),
    ),
  ).finally(() => (isDone = true));
  while (!isDone) await clock.advance(STEP_MS);
  await sent;
  const totalMs = clock.elapsedMs;
  await rest.close();
  if (platform.accepted !== messages) {
    throw new Error(`${platform.accepted} of ${messages} messages were accepted.`);
  }
  const minimumMs = (Math.ceil(perChannel / limit) - 1) * windowMs + LATENCY_MS;
  return { totalMs, minimumMs, refused: platform.refused };
}
