import type { Pin } from '../app/runs.js';
import type { Store } from '../app/store.js';

/** What a pinned command answered, compared with the time before. */
export interface RunAnswer {
  readonly state: 'running' | 'failed' | 'first' | 'same' | 'changed';
  /** `null` until it has answered. */
  readonly text: string | null;
}

const RUNNING: RunAnswer = { state: 'running', text: null };

export function answerOf(store: Pick<Store, 'logs' | 'world'>, pin: Pin | null): RunAnswer {
  if (pin === null || pin.interactionId === null) return RUNNING;
  const { interactionId, writer, before } = pin;
  const interaction = store.world.value.interactions.get(interactionId);
  if (interaction?.state === 'expired') return { state: 'failed', text: null };
  const messages = store.logs.value.get(writer.channel.id)?.messages ?? [];
  const message = messages.find((each) => each.interactionId === interactionId);
  if (message === undefined) return RUNNING;
  const text = message.content;
  if (interaction?.hasFailed === true) return { state: 'failed', text };
  if (before === null) return { state: 'first', text };
  return { state: text === before ? 'same' : 'changed', text };
}
