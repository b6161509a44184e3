import { PAGE_DEFAULTS, type Message, type MessagePage } from '@virgule/core/protocol';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
import { checkNumbers, ID, readOptions } from './check-input.js';
import type { MessageCalls } from './calls.js';
import type { CallOptions } from './rest-options.js';

/** What of a channel's history is read. The options of a call hold for each page. */
export interface HistoryOptions extends CallOptions {
  /** Only messages older than the one with this id. @defaultValue the newest message is the first */
  readonly before?: string | undefined;
  /** How many messages in all, at most. @defaultValue all there are */
  readonly limit?: number | undefined;
}

const FACTS: CallFacts = {
  endpoint: 'messages.history',
  route: 'GET /channels/{channelId}/messages',
  attempts: 0,
  elapsedMs: 0,
};

/** A platform may leave out messages that are deleted, but hardly more of them than these pages have. */
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
    // Read again for each page: a caller may count it down.
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
    // Where no page says it, the first empty one is the end.
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

function bad(field: string, reason: string): Error {
  return clientErrors.E_BAD_RESPONSE({ ...FACTS, status: 200, field, reason });
}

/** The Bot Interface does not state the order within a page. One whose time cannot be read follows the one before it. */
function newestFirst(messages: readonly Message[]): readonly Message[] {
  let lastMs = Number.POSITIVE_INFINITY;
  const timed = messages.map((message) => {
    const atMs = Date.parse(message.createdAt);
    if (!Number.isNaN(atMs)) lastMs = atMs;
    return { message, atMs: lastMs };
  });
  return timed.toSorted((one, other) => other.atMs - one.atMs || 0).map(({ message }) => message);
}
