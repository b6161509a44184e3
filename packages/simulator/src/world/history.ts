import type { MessageRecord } from './state.js';

/**
 * Returns the index of a message in the history of its channel: that of the first message that is not
 * older. Histories are sorted by position, so this is a binary search.
 */
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
): { found: MessageRecord[]; hasMore: boolean } {
  const found: MessageRecord[] = [];
  for (let index = start; ; index += step) {
    const message = history[index];
    if (message === undefined) return { found, hasMore: false };
    if (!keep(message)) continue;
    if (found.length === limit) return { found, hasMore: true };
    found.push(message);
  }
}

const isLive = (message: MessageRecord): boolean => !message.isDeleted;
const isAny = (): boolean => true;

export interface HistoryPage {
  /** Nearest first. */
  readonly messages: readonly MessageRecord[];
  readonly hasMore: boolean;
}

/** Returns a page of messages before `before` (exclusive), or of the newest. */
export function pageBack(
  history: readonly MessageRecord[],
  {
    before,
    limit,
    withDeleted,
  }: {
    readonly before?: MessageRecord | undefined;
    readonly limit: number;
    readonly withDeleted: boolean;
  },
): HistoryPage {
  const end = before === undefined ? history.length : historyIndex(history, before.position);
  const { found, hasMore } = collect(history, end - 1, -1, limit, withDeleted ? isAny : isLive);
  return { messages: found, hasMore };
}

/** Returns a page of messages after `after` (exclusive), oldest first, including deleted ones. */
export function pageForward(
  history: readonly MessageRecord[],
  after: MessageRecord,
  limit: number,
): HistoryPage {
  const start = historyIndex(history, after.position) + 1;
  const { found, hasMore } = collect(history, start, 1, limit, isAny);
  return { messages: found, hasMore };
}

export interface HistoryWindow {
  /** Oldest first, including the message itself. */
  readonly messages: readonly MessageRecord[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** Returns the messages around a message. */
export function windowAround(
  history: readonly MessageRecord[],
  message: MessageRecord,
  { before, after }: { readonly before: number; readonly after: number },
): HistoryWindow {
  const index = historyIndex(history, message.position);
  const older = collect(history, index - 1, -1, before, isLive);
  const newer = collect(history, index + 1, 1, after, isLive);
  return {
    messages: [...older.found.toReversed(), message, ...newer.found],
    hasOlder: older.hasMore,
    hasNewer: newer.hasMore,
  };
}
