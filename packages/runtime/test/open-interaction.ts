import type { Rest } from '@virgule/client/rest';
import type { FakeClock } from '@virgule/core/clock';
import type { BotEnvironment } from '../src/command/environment.js';
import { Interaction } from '../src/command/answer/interaction.js';
import { createFakeRest } from './fake-rest.js';
import { CHANNEL, interactionId, SERVER } from './ids.js';
import { createRecordedLog, type RecordedLog } from './recorded-log.js';
import { createTestEnvironment } from './test-environment.js';

/** An interaction that was received now, and what ends it as the end of a bot does. */
export function openInteraction(
  calls: Rest['interactions'],
  clock: FakeClock,
  parts: Partial<BotEnvironment> = {},
): { interaction: Interaction; log: RecordedLog; ending: AbortController } {
  const log = createRecordedLog();
  const ending = new AbortController();
  const interaction = new Interaction(
    {
      event: { interactionId: interactionId(1), serverId: SERVER, channelId: CHANNEL, name: 'x' },
      receivedAtMs: clock.monotonic(),
    },
    createTestEnvironment({
      rest: { ...createFakeRest().rest, interactions: calls },
      log,
      clock,
      ending: ending.signal,
      ...parts,
    }),
  );
  return { interaction, log, ending };
}
