import type { Rest } from '@virgule/client/rest';
import type { Message, ReactionEvent } from '@virgule/core/protocol';
import { isEmoji, passes } from '../command/waits/listener.js';
import { actorOf, readAwaited } from '../command/waits/waits.js';
import type { StoredAsk, TaskAsks } from './task-asks.js';
import type { Awaited } from './task.js';

const YES = '✅';
const NO = '❌';
/** Maximum number of questions in a channel that one message may answer. */
const MAX_IN_CHANNEL = 100;
/** Maximum number of questions that are read at a start, and of questions whose answers are read from the platform. */
const MAX_LISTED = 1_000;
const MAX_CAUGHT_UP = 200;

/** Returns the kind of answer that a task waits for. */
type WaitsOf = (task: string) => Awaited | undefined;

/** Returns the emojis under a question. */
export function buttonsOf(waits: Awaited | undefined, choices: readonly string[] = []) {
  if (waits === 'votes') return choices;
  return waits === 'confirm' ? [YES, NO] : [];
}

/** Takes an event that may answer questions. An event costs one read of the storage. */
export async function takeAnswer(
  asks: TaskAsks,
  waitsOf: WaitsOf,
  { t, d, botUserId }: { readonly t: string; readonly d: unknown; readonly botUserId: string },
): Promise<void> {
  const received = readAwaited(t, d);
  if (!received || actorOf(received) === botUserId) return;
  if (received.event === 'MESSAGE_CREATE') {
    const { data } = received;
    for (const ask of await asks.list(MAX_IN_CHANNEL, data.channelId))
      if (waitsOf(ask.task) === 'message' && passes(ask.by, data.authorId))
        await asks.answer(ask, data);
  } else {
    const { event, data } = received;
    const ask = await asks.get(data);
    if (ask) await takeReaction(asks, ask, waitsOf(ask.task), data, event);
  }
}

async function takeReaction(
  asks: TaskAsks,
  ask: StoredAsk,
  waits: Awaited | undefined,
  { emoji, userId }: Pick<ReactionEvent, 'emoji' | 'userId'>,
  event: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE',
): Promise<void> {
  const button = buttonsOf(waits, ask.choices).find((each) => isEmoji(emoji, each));
  if (button === undefined || ask.run !== undefined || !passes(ask.by, userId)) return;
  const isAdded = event === 'MESSAGE_REACTION_ADD';
  if (waits === 'votes') await asks.vote(ask, button, userId, isAdded);
  else if (isAdded) await asks.answer(ask, { yes: button === YES, userId });
}

/**
 * Takes the answers that were given while no process received events, and shows missing buttons: of the latest 200 of the first
 * 1,000 open questions. Resolves to the errors of questions that could not be read.
 */
export async function catchUp(
  asks: TaskAsks,
  waitsOf: WaitsOf,
  rest: Rest,
  botUserId: string,
): Promise<readonly unknown[]> {
  const open = (await asks.list(MAX_LISTED)).toSorted((a, b) => b.at - a.at);
  const errors: unknown[] = [];
  for (const ask of open.slice(0, MAX_CAUGHT_UP)) {
    const { channelId, messageId, choices } = ask;
    const waits = waitsOf(ask.task);
    const buttons = buttonsOf(waits, choices);
    try {
      if (!ask.isShown) {
        for (const unicodeEmoji of buttons)
          await rest.reactions.add(channelId, messageId, { unicodeEmoji });
        await asks.change(ask, { isShown: true });
      } else if (waits === 'message') {
        const { messages } = await rest.messages.list(channelId);
        const answer = messages
          .filter(({ authorId }) => authorId !== botUserId && passes(ask.by, authorId))
          .filter(isAfter(messages, ask))
          .reduce(earlier, undefined);
        if (answer) await asks.answer(ask, answer);
      } else if (waits) {
        // The form of the users is assumed: in another form, users have to react again.
        const { reactions } = await rest.reactions.details(channelId, messageId);
        // If both ✅ and ❌ were pressed, the answer is no.
        for (const button of buttons.toReversed())
          for (const { emoji, users } of reactions)
            for (const { id: userId } of isEmoji(emoji, button) ? users : [])
              if (userId !== botUserId)
                await takeReaction(asks, ask, waits, { emoji, userId }, 'MESSAGE_REACTION_ADD');
      }
    } catch (error) {
      errors.push(error);
    }
  }
  return errors;
}

/** Returns a test for messages after a question; the time of the question is that of this machine if the page does not have it. */
function isAfter(page: readonly Message[], { messageId, at }: StoredAsk) {
  const question = page.find(({ id }) => id === messageId);
  const sinceMs = question ? Date.parse(question.createdAt) : at;
  return ({ createdAt }: Message): boolean => Date.parse(createdAt) > sinceMs;
}

const earlier = (found: Message | undefined, each: Message): Message =>
  found && Date.parse(found.createdAt) <= Date.parse(each.createdAt) ? found : each;
