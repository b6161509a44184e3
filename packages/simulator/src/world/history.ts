import type { MessageRecord } from './state.js';

/** Returns the index of the first message that is not older than a position, by binary search. */
export function historyIndex(history: readonly MessageRecord[], position: number): number {
  let low = 0;
  let high = history.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const message = history[middle];
    if (message !== undefined && message.position < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns up to `limit` messages that pass `keep`, from `start` in steps of `step`. */
function collect(
  history: readonly MessageRecord[],
  start: number,
  step: 1 | -1,
  limit: number,
  keep: (message: MessageRecord) => boolean,
): { readonly messages: readonly MessageRecord[]; readonly hasMore: boolean } {
  const messages: MessageRecord[] = [];
  for (let index = start; ; index += step) {
    const message = history[index];
    if (message === undefined) return { messages, hasMore: false };
    if (!keep(message)) continue;
    if (messages.length === limit) return { messages, hasMore: true };
    messages.push(message);
  }
}

const isLive = (message: MessageRecord): boolean => !message.isDeleted;
const isAny = (): boolean => true;

/** Returns a page of messages, newest first: the messages before `before` (exclusive), or the newest messages. */
export function pageBack(
  history: readonly MessageRecord[],
  before: MessageRecord | undefined,
  limit: number,
  { withDeleted }: { readonly withDeleted: boolean },
) {
  const end = before === undefined ? history.length : historyIndex(history, before.position);
  return collect(history, end - 1, -1, limit, withDeleted ? isAny : isLive);
}

/** Returns a page of messages after `after` (exclusive), oldest first, including deleted ones. */
export const pageForward = (
  history: readonly MessageRecord[],
  after: MessageRecord,
  limit: number,
) => collect(history, historyIndex(history, after.position) + 1, 1, limit, isAny);

/** Returns a message with the messages around it, oldest first. */
export function windowAround(
  history: readonly MessageRecord[],
  message: MessageRecord,
  { before, after }: { readonly before: number; readonly after: number },
) {
  const index = historyIndex(history, message.position);
  const older = collect(history, index - 1, -1, before, isLive);
  const newer = collect(history, index + 1, 1, after, isLive);
  return {
    messages: [...older.messages.toReversed(), message, ...newer.messages],
    hasOlder: older.hasMore,
    hasNewer: newer.hasMore,
  };
}
