// Conversations: a chat written down as lines of text, such as `conversations/remind.txt`.
import { parseDuration } from '../text/parse-duration.js';

type Act =
  | { readonly type: 'channel'; readonly channel: string }
  /** A command if the text begins with a slash, else a message. */
  | { readonly type: 'say'; readonly user: string; readonly text: string }
  | { readonly type: 'react'; readonly user: string; readonly emoji: string }
  | { readonly type: 'advance'; readonly ms: number }
  | { readonly type: 'restart' };

/** An action of a conversation with its text. */
export type ConversationAct = Act & { readonly source: string };

/** One line of a conversation. */
export type ConversationStep = ConversationAct & { readonly line: number };

/** The first line that is not valid in a conversation, with its number. */
export type InvalidLine = Pick<ConversationStep, 'line' | 'source'>;

/**
 * Reads a conversation: `#channel`, `user: text` (lines that begin with two spaces continue the text), `user 👍`,
 * `+2h` and `restart`. Empty lines are ignored.
 */
export function readConversation(
  text: string,
): { readonly steps: readonly ConversationStep[] } | { readonly invalid: InvalidLine } {
  const steps: ConversationStep[] = [];
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const source = raw.trimEnd();
    const last = steps.at(-1);
    if (source === '') continue;
    if (source.startsWith('  ') && last?.type === 'say') {
      const continued = { text: `${last.text}\n${source.slice(2)}` };
      steps[steps.length - 1] = { ...last, ...continued, source: `${last.source}\n${source}` };
      continue;
    }
    const act = readLine(source);
    if (act === undefined) return { invalid: { line: index + 1, source } };
    steps.push({ line: index + 1, source, ...act });
  }
  return { steps };
}

function readLine(source: string): Act | undefined {
  if (source === 'restart') return { type: 'restart' };
  const channel = /^#(\S+)$/.exec(source)?.[1];
  if (channel !== undefined) return { type: 'channel', channel };
  const ms = source.startsWith('+') ? parseDuration(source.slice(1)) : undefined;
  if (ms !== undefined) return { type: 'advance', ms };
  const said = /^([\w.-]+): (.*)$/.exec(source);
  if (said) return { type: 'say', user: said[1] ?? '', text: said[2] ?? '' };
  const reacted = /^([\w.-]+) ([^\s\w]\S*)$/.exec(source);
  return reacted ? { type: 'react', user: reacted[1] ?? '', emoji: reacted[2] ?? '' } : undefined;
}

/** Returns the line for a message of a user, in the form that `readConversation` reads. */
export const sayLine = (user: string, text: string): string =>
  `${user}: ${text.replaceAll('\n', '\n  ')}`;
