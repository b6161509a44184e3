import {
  readConversation,
  sayLine,
  type ConversationAct,
  type SimMessage,
  type SimUser,
} from '@virgule/core/simulator-api';
import { RequestError } from '../net/request-error.js';
import { isOwnBot } from './bots.js';
import type { Interactions } from './interactions.js';
import type { World } from './world.js';

/** An action of a user that can be repeated, with the number of earlier messages of the bot. */
export type Step = ConversationAct & { readonly after: number };

/** Returns whether a step runs a command. */
export const isCommand = (step: ConversationAct): boolean =>
  step.type === 'say' && step.text.startsWith('/');

/** Returns the step in which a user runs a command or writes a message. */
export function sayStep(user: string, text: string, after: number): Step {
  return { type: 'say', user, text, source: sayLine(user, text), after };
}

/** A message, or a reaction to a message of the bot. */
interface Act {
  readonly userId: string;
  readonly createdAt: string;
  readonly text?: string;
  readonly emoji?: string | undefined;
}

/**
 * Reads the actions of users in the channel of a message, from this message on, and the answers of the bot.
 *
 * @param log - the messages of the channel, oldest first
 */
export function conversationFrom(
  from: SimMessage,
  log: readonly SimMessage[],
  interactions: Interactions,
  world: Pick<World, 'users' | 'bots'>,
) {
  const runs = [...interactions.values()].filter(({ channelId }) => channelId === from.channelId);
  const cause = runs.find(({ id }) => id === from.interactionId);
  const startMs = Date.parse((cause ?? from).createdAt);
  const isIn = ({ createdAt }: { readonly createdAt: string }) => Date.parse(createdAt) >= startMs;
  const later = runs.filter(isIn);
  const runIds = [null, ...later.map(({ id }) => id)];
  const messages = log.filter(
    (each) => !each.isDeleted && isIn(each) && runIds.includes(each.interactionId),
  );
  const ofBot = messages.filter(({ authorId }) => isOwnBot(world, authorId));
  const acts: readonly Act[] = [
    ...later.map(({ userId, createdAt, rawInput: text }) => ({ userId, createdAt, text })),
    ...messages.map(({ authorId: userId, createdAt, content: text }) => {
      return { userId, createdAt, text };
    }),
    // The time of a reaction is unknown; the time of its message is used.
    ...ofBot.flatMap(({ createdAt, reactions }) =>
      reactions.flatMap(({ emoji: { unicodeEmoji: emoji }, userIds }) =>
        userIds.map((userId) => ({ userId, createdAt, emoji })),
      ),
    ),
  ];
  const steps = acts
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
    .flatMap(({ userId, createdAt, text, emoji }): readonly Step[] => {
      const user = world.users.find(({ id, isBot }) => id === userId && !isBot)?.username;
      const atMs = Date.parse(createdAt);
      const after = ofBot.filter((each) => Date.parse(each.createdAt) < atMs).length;
      if (user === undefined) return [];
      if (text) return [sayStep(user, text, after)];
      // A conversation has no custom emojis.
      if (!emoji) return [];
      return [{ type: 'react', user, emoji, source: `${user} ${emoji}`, after: after + 1 }];
    });
  return { steps, answers: ofBot.map(({ content }) => content) };
}

/**
 * Reads a conversation of one channel; the name of the channel is `undefined` if the conversation names no channel.
 *
 * @throws RequestError with the reason why the page cannot play the conversation.
 */
export function playable(text: string, users: readonly SimUser[]) {
  const read = readConversation(text);
  if ('invalid' in read)
    throw notPlayable(`Line ${read.invalid.line} is not a line of a conversation.`);
  const [channel, ...others] = read.steps.filter((step) => step.type === 'channel');
  if (others.length > 0 || read.steps.some(({ type }) => type === 'restart'))
    throw notPlayable(
      'The page plays conversations of one channel, without a restart: use virgule run.',
    );
  for (const step of read.steps)
    if ('user' in step && !users.some(({ username }) => username === step.user))
      throw notPlayable(`Line ${step.line}: there is no user ${step.user}.`);
  const acts = read.steps.filter((step) => step !== channel);
  const steps = acts.map((step, index): Step => {
    return { ...step, after: acts.slice(0, index).filter(isCommand).length };
  });
  return { channelName: channel?.channel, steps };
}

/** Returns the error for a conversation that the page cannot play. */
export const notPlayable = (reason: string) => new RequestError(reason, 'conversation', null);
