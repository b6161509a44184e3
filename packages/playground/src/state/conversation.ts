import type { ReactionEmoji } from '@virgule/core/protocol';
import {
  readConversation,
  sayLine,
  type ConversationStep,
  type SimMessage,
  type SimUser,
} from '@virgule/core/simulator-api';
import { RequestError } from '../net/request-error.js';
import { isOwnBot } from './bots.js';
import type { Interactions } from './interactions.js';
import type { World } from './world.js';

/** A message of a conversation: an index in the messages of the bot, or of the users. */
export interface MessagePlace {
  readonly by: 'bot' | 'user';
  readonly index: number;
}

/** An action of a user that can be repeated. */
type Action =
  | {
      readonly type: 'run';
      readonly rawInput: string;
      /** Time until the bot last wrote or edited its answer, in milliseconds. */
      readonly tookMs: number;
    }
  | { readonly type: 'say'; readonly content: string; readonly replyTo: MessagePlace | null }
  | { readonly type: 'react'; readonly emoji: ReactionEmoji; readonly to: MessagePlace }
  /** Moves the clock of the world, such as by `2h`. */
  | { readonly type: 'advance'; readonly time: string };

export interface Step {
  readonly user: SimUser;
  /** Number of earlier messages of the bot. */
  readonly after: number;
  readonly action: Action;
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
  const runIds = new Set(later.map(({ id }) => id));
  const messages = log.filter(
    (each) =>
      !each.isDeleted &&
      isIn(each) &&
      (each.interactionId === null || runIds.has(each.interactionId)),
  );
  const isOfBot = ({ authorId }: SimMessage) => isOwnBot(world, authorId);
  const ofBot = messages.filter(isOfBot);
  const ofUsers = messages.filter((each) => !isOfBot(each));
  const placeOf = (id: string): MessagePlace | null => {
    const bot = ofBot.findIndex((each) => each.id === id);
    if (bot !== -1) return { by: 'bot', index: bot };
    const user = ofUsers.findIndex((each) => each.id === id);
    return user === -1 ? null : { by: 'user', index: user };
  };

  const steps: { readonly atMs: number; readonly step: Step }[] = [];
  const add = (userId: string, createdAt: string, action: Action) => {
    const user = world.users.find(({ id }) => id === userId);
    if (user === undefined) return;
    const atMs = Date.parse(createdAt);
    const isReaction = action.type === 'react';
    // The time of a reaction is unknown; the time of its message is used.
    const before = (each: SimMessage) =>
      isReaction ? Date.parse(each.createdAt) <= atMs : Date.parse(each.createdAt) < atMs;
    steps.push({ atMs, step: { user, after: ofBot.filter(before).length, action } });
  };
  for (const { id, userId, createdAt, rawInput } of later) {
    const ends = ofBot
      .filter(({ interactionId }) => interactionId === id)
      .map((each) => Date.parse(each.editedAt ?? each.createdAt));
    const tookMs = Math.max(0, ...ends.map((end) => end - Date.parse(createdAt)));
    add(userId, createdAt, { type: 'run', rawInput, tookMs });
  }
  for (const { authorId, createdAt, content, replyTo } of ofUsers) {
    const replied = replyTo?.['messageId'];
    const place = typeof replied === 'string' ? placeOf(replied) : null;
    if (content !== '') add(authorId, createdAt, { type: 'say', content, replyTo: place });
  }
  for (const { id, createdAt, reactions } of messages) {
    const to = placeOf(id);
    if (to === null) continue;
    for (const { emoji, userIds } of reactions)
      for (const userId of userIds)
        if (!isOwnBot(world, userId)) add(userId, createdAt, { type: 'react', emoji, to });
  }
  return {
    steps: steps.toSorted((a, b) => a.atMs - b.atMs).map(({ step }) => step),
    answers: ofBot.map(({ content }) => content),
  };
}

/** Returns the actions of users in a channel as the text of a conversation. */
export function conversationText(channelName: string, steps: readonly Step[]): string {
  const lines = steps.map(({ user: { username }, action }) => {
    if (action.type === 'run') return sayLine(username, action.rawInput);
    if (action.type === 'say') return sayLine(username, action.content);
    if (action.type === 'advance') return `+${action.time}`;
    // The format has no custom emojis.
    return action.emoji.unicodeEmoji === undefined
      ? ''
      : `${username} ${action.emoji.unicodeEmoji}`;
  });
  return [`#${channelName}`, ...lines.filter((line) => line !== ''), ''].join('\n');
}

/**
 * Reads a conversation of one channel; the name of the channel is `null` if the conversation names no channel.
 *
 * @throws RequestError with the reason why the page cannot play the conversation.
 */
export function playable(text: string, users: readonly SimUser[]) {
  const read = readConversation(text);
  if ('invalid' in read)
    throw notPlayable(`Line ${read.invalid.line} is not a line of a conversation.`);
  const channels = read.steps.filter((step) => step.type === 'channel');
  if (channels.length > 1 || read.steps.some(({ type }) => type === 'restart'))
    throw notPlayable(
      'The page plays conversations of one channel, without a restart: use virgule run.',
    );
  const steps: Step[] = [];
  let answers = 0;
  for (const step of read.steps) {
    if (step.type === 'channel') continue;
    const named = 'user' in step ? step.user : undefined;
    const user = users.find(({ username }) => named === undefined || username === named);
    if (user === undefined)
      throw notPlayable(`Line ${step.line}: there is no user ${named ?? ''}.`);
    const action = actionOf(step, answers);
    if (action === undefined) continue;
    steps.push({ user, after: answers, action });
    if (action.type === 'run') answers += 1;
  }
  return { channelName: channels[0]?.channel ?? null, steps };
}

/** Returns the error for a conversation that the page cannot play. */
export const notPlayable = (reason: string) => new RequestError(reason, 'conversation', null);

function actionOf(step: ConversationStep, answers: number): Step['action'] | undefined {
  if (step.type === 'advance') return { type: 'advance', time: step.source.slice(1) };
  if (step.type === 'react') {
    const emoji = { kind: 'unicode', unicodeEmoji: step.emoji };
    return { type: 'react', emoji, to: { by: 'bot', index: answers - 1 } };
  }
  if (step.type !== 'say') return undefined;
  return step.text.startsWith('/')
    ? { type: 'run', rawInput: step.text, tookMs: 0 }
    : { type: 'say', content: step.text, replyTo: null };
}
