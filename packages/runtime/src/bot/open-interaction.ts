import { Interaction, type InteractionOptions } from '../interaction/interaction.js';
import type { BotEnvironment } from './bot-environment.js';

/** Opens the interaction of a command that was received. */
export function openInteraction(
  received: Pick<InteractionOptions, 'id' | 'commandName' | 'receivedAtMs' | 'observer'>,
  { rest, profile, log, clock, random, ending }: BotEnvironment,
): Interaction {
  const { id, commandName, receivedAtMs, observer } = received;
  return new Interaction({
    id,
    commandName,
    calls: rest.interactions,
    profile,
    log,
    clock,
    random,
    receivedAtMs,
    ending,
    observer,
  });
}
