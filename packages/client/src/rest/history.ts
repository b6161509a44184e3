import { PAGE_DEFAULTS, type Message } from '@virgule/core/protocol';
import { type CallFacts, clientErrors } from '../errors/client-errors.js';
import { checkOptions, invalidCall } from './check-input.js';
import type { MessageCalls } from './messages.js';
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

/** Reads page after page, each one when the messages of the one before are used up. */
export async function* readHistory(
  messages: Pick<MessageCalls, 'list'>,
  channelId: string,
  options: HistoryOptions,
): AsyncGenerator<Message, void, undefined> {
  checkOptions(FACTS.endpoint, options);
  // One by one: an AbortController may be given for its signal, which is not a property of its own.
  const { before: first, limit = Number.POSITIVE_INFINITY } = options;
  const { signal, priority, onRetry } = options;
  if (!(limit >= 0)) {
    const expected = 'a number of messages, 0 or more';
    throw invalidCall(FACTS.endpoint, 'limit', expected, String(limit));
  }
  let before = first;
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
    const { hasMore, oldestId } = page;
    if (!hasMore || oldestId === null) return;
    if (oldestId === before) {
      // Continuing would read the same page indefinitely; ending here would hide that there is more.
      const reason = 'the same page again';
      throw clientErrors.E_BAD_RESPONSE({ ...FACTS, status: 200, field: 'oldestId', reason });
    }
    before = oldestId;
  }
}

/** The Bot Interface does not state the order within a page. One whose time cannot be read stays where it is. */
function newestFirst(messages: readonly Message[]): readonly Message[] {
  const atMs = ({ createdAt }: Message): number => Date.parse(createdAt);
  const isInOrder = messages.every((message, index) => {
    const next = messages[index + 1];
    return !next || !(atMs(message) < atMs(next));
  });
  return isInOrder ? messages : messages.toSorted((one, other) => atMs(other) - atMs(one) || 0);
}
