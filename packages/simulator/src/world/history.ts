import type { MessageRecord } from './state.js';

/**
 * Where a message stands in its channel's history, or would stand: the index of the first message
 * that is not older. Histories are in order of position, so this costs no walk.
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

/** Up to `limit` messages that are not deleted, from `start` in steps of `step`. */
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
  /** Newest first. */
  readonly messages: readonly MessageRecord[];
  readonly hasMore: boolean;
}

/** One page going back in time from `before` (not included), or from the newest message. */
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

export interface HistoryWindow {
  /** Oldest first, the message itself among them. */
  readonly messages: readonly MessageRecord[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** The messages around one of them. */
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
