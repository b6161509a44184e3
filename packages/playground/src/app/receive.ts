import { batch } from '@preact/signals';
import type { SimEvent } from '@virgule/core/simulator-api';
import { upsertMessage } from '../state/channel-log.js';
import { interactionsAfter, isFailed } from '../state/interactions.js';
import { hasNewProblem } from '../state/problems.js';
import { withoutArrived } from '../state/sending.js';
import { typingAfter } from '../state/typing.js';
import { unreadAfterMessage } from '../state/unread.js';
import { applyEvent } from '../state/world.js';
import type { Store } from './store.js';

/** Returns the id of a command or message of the user that fails with this event, or `null`. Call before the store changes. */
export function failureOf(store: Store, event: SimEvent): string | null {
  const userId = store.place.peek().user?.id;
  if (event.type === 'message') {
    const { id, channelId, authorId, failure } = event.message;
    const before = store.logs
      .peek()
      .get(channelId)
      ?.messages.find((each) => each.id === id);
    return failure && before && !before.failure && authorId === userId ? id : null;
  }
  if (event.type !== 'interaction') return null;
  const { interaction } = event;
  const before = store.interactions.peek().get(interaction.id);
  const isNew = isFailed(interaction) && !isFailed(before);
  return isNew && interaction.userId === userId ? interaction.id : null;
}

/** Applies an event of the simulator to the store. */
export function receiveEvent(
  store: Store,
  event: SimEvent,
  context: { readonly nowMs: number; readonly isVisible: boolean },
): void {
  const problems = store.world.peek().problems;
  batch(() => {
    store.nowMs.value = context.nowMs;
    store.world.value = applyEvent(store.world.peek(), event);
    store.interactions.value = interactionsAfter(store.interactions.peek(), event);
    store.typing.value = typingAfter(store.typing.peek(), event, context.nowMs);
    if (hasNewProblem(problems, store.world.peek().problems))
      store.areProblemsCollapsed.value = false;
    if (event.type !== 'message') return;
    const { message } = event;
    const log = store.logs.peek().get(message.channelId);
    if (log !== undefined) store.setLog(message.channelId, upsertMessage(log, message));
    if (!event.isNew) return;
    store.sending.value = withoutArrived(store.sending.peek(), message);
    store.unread.value = unreadAfterMessage(store.unread.peek(), message, {
      ownUserId: store.place.peek().user?.id ?? null,
      seenChannelId: context.isVisible ? store.channelId.peek() : null,
    });
  });
}
