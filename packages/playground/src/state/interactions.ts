import type { SimEvent, SimInteraction } from '@virgule/core/simulator-api';

/** The newest interactions by id, oldest first. */
export type Interactions = ReadonlyMap<string, SimInteraction>;

/** Maximum number of interactions; the snapshot of the simulator contains 200. */
const MAX_INTERACTIONS = 400;

/** Returns the interactions after an event; the same object if the event changes none. */
export function interactionsAfter(interactions: Interactions, event: SimEvent): Interactions {
  if (event.type === 'snapshot')
    return new Map(event.snapshot.interactions.map((item) => [item.id, item]));
  if (event.type !== 'interaction') return interactions;
  const next = new Map(interactions).set(event.interaction.id, event.interaction);
  for (const id of next.keys()) {
    if (next.size <= MAX_INTERACTIONS) break;
    next.delete(id);
  }
  return next;
}

/** Returns whether an interaction still has time for an answer, which the page counts down. */
export const isOpen = ({ state }: Pick<SimInteraction, 'state'>): boolean =>
  state === 'waiting' || state === 'deferred';

export const isFailed = (interaction?: Pick<SimInteraction, 'failure' | 'state'>): boolean =>
  interaction?.failure !== undefined || interaction?.state === 'expired';
