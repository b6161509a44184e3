import type { SimEvent } from '@virgule/core/simulator-api';
import type { Store } from './store.js';

/**
 * Returns the id of a command of the acting user that fails or expires with this frame, or `null`. Must be called
 * before the frame is applied to the store.
 */
export function failureOf(store: Store, event: SimEvent): string | null {
  if (event.type !== 'interaction') return null;
  const { id, userId, state, hasFailed } = event.interaction;
  const before = store.interactions.peek().get(id);
  const isNew = (hasFailed && before?.hasFailed !== true) || before?.state !== state;
  const isFailure = hasFailed || state === 'expired';
  return isFailure && isNew && userId === store.place.peek().user?.id ? id : null;
}
