import type { SimMessage } from '@virgule/core/simulator-api';
import type { Pin } from '../app/runs.js';
import type { Store } from '../app/store.js';
import { isOwnBot } from './bots.js';
import { isFailed } from './interactions.js';

/** Answers of the bot in a run, compared with the run before. */
export interface RunAnswer {
  readonly state: 'running' | 'failed' | 'first' | 'same' | 'changed';
  /** Contents of the messages of the bot, oldest first. */
  readonly texts: readonly string[];
}

type Chat = Pick<Store, 'interactions' | 'logs' | 'world'>;

/** Returns the messages that belong to the last run of a pin, oldest first. */
export function messagesOf({ logs, world }: Chat, pin: Pin): Record<'bot' | 'user', SimMessage[]> {
  const messages = (logs.value.get(pin.channel.id)?.messages ?? []).filter(
    ({ isDeleted, interactionId, createdAt }) =>
      !isDeleted &&
      (interactionId === null
        ? Date.parse(createdAt) >= pin.startMs
        : pin.interactionIds.includes(interactionId)),
  );
  return {
    bot: messages.filter(({ authorId }) => isOwnBot(world.value, authorId)),
    user: messages.filter(({ authorId }) => !isOwnBot(world.value, authorId)),
  };
}

export function answerOf(store: Chat, pin: Pin | null): RunAnswer {
  if (pin === null) return { state: 'running', texts: [] };
  const { steps, done, isOver, interactionIds, before } = pin;
  const texts = messagesOf(store, pin).bot.map(({ content }) => content);
  const runs = interactionIds.map((id) => store.interactions.value.get(id));
  if (runs.some(isFailed)) return { state: 'failed', texts };
  const started = steps.slice(0, done).filter(({ action }) => action.type === 'run').length;
  const isWaiting =
    runs.length < started ||
    runs.some((run) => run === undefined || run.state === 'waiting' || run.state === 'deferred');
  const isShort = texts.length < (before?.length ?? 1);
  if (done < steps.length || (isShort && (!isOver || isWaiting)))
    return { state: 'running', texts };
  if (before === null) return { state: 'first', texts };
  const isSame = texts.length === before.length && texts.every((text, at) => text === before[at]);
  return { state: isSame ? 'same' : 'changed', texts };
}
