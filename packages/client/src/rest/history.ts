import { PAGE_DEFAULTS, type Message, type MessagePage } from '@virgule/core/protocol';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
import { checkNumbers, ID, readOptions } from './check-input.js';
import type { MessageCalls } from './calls.js';
import type { CallOptions } from '../request/call.js';

/** Options of `messages.history`. The options of a call apply to each page. */
export interface HistoryOptions extends CallOptions {
  /** Id of a message: only older messages are read. @defaultValue the newest message is the first */
  readonly before?: string | undefined;
  /** Maximum number of messages. @defaultValue all messages */
  readonly limit?: number | undefined;
}

const FACTS: CallFacts = {
  endpoint: 'messages.history',
  route: 'GET /channels/{channelId}/messages',
  attempts: 0,
  elapsedMs: 0,
};

/** Maximum number of empty pages in a row. A platform may omit deleted messages, but hardly for more pages. */
const MAX_EMPTY_PAGES = 25;

/** Reads page after page, each one when the messages of the one before are used up. */
export async function* readHistory(
  messages: Pick<MessageCalls, 'list'>,
  channelId: string,
  options: HistoryOptions,
): AsyncGenerator<Message, void, undefined> {
  const { signal, onRetry } = readOptions(FACTS.endpoint, options);
  const { before: first, limit = Number.POSITIVE_INFINITY, priority } = options;
  checkNumbers(FACTS.endpoint, { limit });
  let before = first;
  const pages = new Set<string>();
  let emptyPages = 0;
  for (let left = limit; left > 0;) {
    const query = left < PAGE_DEFAULTS.limit ? { before, limit: Math.ceil(left) } : { before };
    // The deadline is read again for each page: the property may be a getter that counts down.
    const { deadlineMs } = options;
    const page = await messages.list(channelId, query, { signal, deadlineMs, priority, onRetry });
    for (const message of newestFirst(page.messages)) {
      if (signal?.aborted) {
        const details = { ...FACTS, phase: 'waiting', maybeSent: false } as const;
        throw clientErrors.E_ABORTED(details, { cause: signal.reason });
      }
      yield message;
      left -= 1;
      if (left <= 0) return;
    }
    const { hasMore, oldestId } = page as Partial<MessagePage>;
    const isEmpty = page.messages.length === 0;
    // Without `hasMore`, the first empty page is the end.
    if (hasMore === false || (hasMore !== true && isEmpty)) return;
    emptyPages = isEmpty ? emptyPages + 1 : 0;
    // Continuing would read the same pages indefinitely; ending here would hide that there is more.
    if (typeof oldestId !== 'string' || !ID.test(oldestId))
      throw bad('oldestId', 'more pages without the id where they begin');
    if (pages.has(oldestId)) throw bad('oldestId', 'the same page again');
    if (emptyPages === MAX_EMPTY_PAGES)
      throw bad('messages', `${MAX_EMPTY_PAGES} empty pages in a row`);
    pages.add(oldestId);
    before = oldestId;
  }
}

const bad = (field: string, reason: string): Error =>
  clientErrors.E_BAD_RESPONSE({ ...FACTS, status: 200, field, reason });

/** Sorts the messages of a page, whose order the Bot Interface does not state. A message with an invalid time keeps its place. */
function newestFirst(messages: readonly Message[]): readonly Message[] {
  let lastMs = Number.POSITIVE_INFINITY;
  const timed = messages.map((message) => {
    const atMs = Date.parse(message.createdAt);
    if (!Number.isNaN(atMs)) lastMs = atMs;
    return { message, atMs: lastMs };
  });
  return timed.toSorted((one, other) => other.atMs - one.atMs || 0).map(({ message }) => message);
}
