import {
  readConversation,
  sayLine,
  type ConversationStep,
  type SimUser,
} from '@virgule/core/simulator-api';
import { RequestError } from '../net/request-error.js';
import type { Step } from './conversation.js';

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
