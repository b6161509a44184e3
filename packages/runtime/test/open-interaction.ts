import type { Rest } from '@virgule/client/rest';
import type { FakeClock } from '@virgule/core/clock';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { Interaction, type InteractionEnvironment } from '../src/interaction/interaction.js';
import { interactionId } from './ids.js';
import { createRecordedLog, type RecordedLog } from './recorded-log.js';

/** An interaction that was received now, and what ends it as the end of a bot does. */
export function openInteraction(
  calls: Rest['interactions'],
  clock: FakeClock,
  parts: Partial<InteractionEnvironment> = {},
): { interaction: Interaction; log: RecordedLog; ending: AbortController } {
  const log = createRecordedLog();
  const ending = new AbortController();
  const interaction = new Interaction(
    { interactionId: interactionId(1), commandName: 'x', receivedAtMs: clock.monotonic() },
    {
      rest: { interactions: calls },
      profile: DEFAULT_PROFILE,
      log,
      clock,
      random: () => 0.5,
      ending: ending.signal,
      ...parts,
    },
  );
  return { interaction, log, ending };
}
