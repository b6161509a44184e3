import type { Rest } from '@virgule/client/rest';
import type { Message, MessageAttachment } from '@virgule/core/protocol';
import { isSameId } from '../../options/references.js';
import { cutText } from '../../text/cut-text.js';

/** Options of `history`. */
export interface ChannelHistoryOptions {
  /** Maximum number of messages that are read. */
  readonly limit: number;
  /** Id of a message: only older messages are read. @defaultValue the last message is that of the event, else the newest one */
  readonly before?: string | undefined;
  /** `true` to begin each message of a user with the user's name: `Ada: Hello`. @defaultValue `false` */
  readonly names?: boolean | undefined;
  /** Maximum number of characters of all messages together; older messages are left out. @defaultValue 20,000 */
  readonly chars?: number | undefined;
}

/** A message of a conversation, in the form that language models read: `assistant` is this bot, `user` is anyone else. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** Reads the newest messages of a channel as a conversation, oldest first. Neighboring messages of one role become one. */
export async function readConversation(
  messages: Pick<Rest['messages'], 'history'>,
  channelId: string,
  { limit, before, names, chars = 20_000 }: ChannelHistoryOptions,
  { meId, newest, signal }: { meId: string; newest: Message | undefined; signal: AbortSignal },
): Promise<ChatMessage[]> {
  /** The conversation, newest first. */
  const found: ChatMessage[] = [];
  let left = chars;
  const last = before === undefined && limit >= 1 ? newest : undefined;
  const older = { limit: last ? limit - 1 : limit, before: last?.id ?? before, signal };
  for await (const message of joined(last, messages.history(channelId, older))) {
    const role = isSameId(message.authorId, meId) ? 'assistant' : 'user';
    const text = textOf(message);
    if (text === '') continue;
    const content = names && role === 'user' ? withName(message, text) : text;
    const [next] = found.slice(-1);
    if (!(content.length <= left)) {
      if (!next && chars >= 1) found.push({ role, content: cutText(content, chars) });
      break;
    }
    left -= content.length;
    if (next?.role === role) next.content = `${content}\n${next.content}`;
    else found.push({ role, content });
  }
  return found.reverse();
}

async function* joined<Item>(first: Item | undefined, others: AsyncIterable<Item>) {
  if (first) yield first;
  yield* others;
}

/** Returns the text of a message with its files as `[file: name]`; empty for a deleted message. */
function textOf({ content, attachments, isDeleted }: Partial<Message>): string {
  if (isDeleted) return '';
  const files: readonly (Partial<MessageAttachment> | null)[] = attachments ?? [];
  const names = files.map((file) => `[file: ${file?.fileName ?? 'unknown'}]`);
  return [String(content ?? '').trim(), ...names].filter((part) => part !== '').join('\n');
}

/** Begins a text with the name of its author. Further lines are indented, so that none looks like a message of another user. */
function withName({ authorDisplayName, authorUsername }: Partial<Message>, text: string): string {
  const name = plainName(authorDisplayName) || plainName(authorUsername) || 'unknown';
  return `${name}: ${text.replace(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, '\n  ')}`;
}

/** Returns a name on one line, without colons, which would look like its end, and without characters that no user sees. */
const plainName = (name: string | null | undefined): string =>
  String(name ?? '')
    .replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800:]+/gu, ' ')
    .trim();
