import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import type { CallObserver } from '../interaction/call-observer.js';
import { Interaction } from '../interaction/interaction.js';
import type { BotEnvironment } from './bot-environment.js';

/** Opens the interaction of a command that was received. */
export function openInteraction(
  event: ApplicationCommandEvent,
  receivedAtMs: number,
  { rest, profile, log, clock, random, ending }: BotEnvironment,
  observer?: CallObserver,
): Interaction {
  return new Interaction({
    id: event.interactionId,
    commandName: event.name,
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
