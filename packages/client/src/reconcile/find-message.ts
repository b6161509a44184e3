import type { Clock } from '@virgule/core/clock';
import type { Message, MessagePage } from '@virgule/core/protocol';
import type { Answered } from '../rest/api-call.js';
import { isSameText, type Sending, type SentLog } from './sent-log.js';

/** What reading the channel shows of a message. */
export type Search =
  | { readonly kind: 'found'; readonly message: Message }
  /** It is not there, and the time in which it was sent was read whole. */
  | { readonly kind: 'absent' }
  /** It is not there as far as is known: not all was read, or the clocks do not agree. */
  | { readonly kind: 'missing' }
  /** One like it is there, and another call may have sent that one. */
  | { readonly kind: 'ambiguous' };

export interface FindOptions {
  readonly sending: Sending;
  readonly botUserId: string;
  readonly sent: SentLog;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  /** Reads one page, going backwards in time. */
  readonly readPage: (before: string | undefined) => Promise<Answered<MessagePage>>;
}

/** How far the platform's clocks may be from each other and from ours, in milliseconds. */
const SKEW_MS = 5_000;

/** No more is read: in a channel that is this busy the message is not to be found in time. */
const MAX_PAGES = 5;

/** Looks for a message of this client by its author, its text and its time. */
export async function findMessage(options: FindOptions): Promise<Search> {
  const { sending, botUserId, sent, clock, readPage } = options;
  const candidates: Message[] = [];
  let before: string | undefined;
  let sinceMs = 0;
  let isSure = false;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answered = await readPage(before);
    const answer = answered.read();
    if (page === 0) ({ sinceMs, isSure } = startOf(sending, answered.dateMs, clock));
    candidates.push(...answer.messages);
    const oldestMs = Math.min(...answer.messages.map(({ createdAt }) => Date.parse(createdAt)));
    const isCovered = !answer.hasMore || oldestMs < sinceMs;
    before = answer.oldestId ?? undefined;
    if (isCovered || before === undefined) {
      isSure &&= isCovered;
      break;
    }
    if (page === MAX_PAGES - 1) isSure = false;
  }
  const [message, ...others] = candidates.filter(
    ({ id, authorId, content, createdAt }) =>
      authorId === botUserId &&
      isSameText(content, sending.content) &&
      Date.parse(createdAt) >= sinceMs &&
      !sent.isTaken(id),
  );
  if (!message) return { kind: isSure ? 'absent' : 'missing' };
  // Each rival may be one of them; with more messages than rivals, ours is there for certain.
  const rivals = sent.rivals(sending, sending.startMs - SKEW_MS);
  if (others.length < rivals) return { kind: 'ambiguous' };
  // At once: another call that looks for its own at this moment must not take the same.
  sent.end(sending, message);
  return { kind: 'found', message };
}

/**
 * When the message was sent at the earliest, on the platform's clock. Our own clock can be wrong, and
 * the `Date` header can come from another machine than the messages: the earlier of both is taken,
 * and only when they agree is a message that is not there proved to be absent.
 */
function startOf(
  { startMs }: Sending,
  dateMs: number | undefined,
  clock: FindOptions['clock'],
): { readonly sinceMs: number; readonly isSure: boolean } {
  const agoMs = clock.monotonic() - startMs;
  const byOurClock = clock.now() - agoMs;
  const byTheirClock = dateMs === undefined ? byOurClock : dateMs - agoMs;
  return {
    sinceMs: Math.min(byOurClock, byTheirClock) - SKEW_MS,
    isSure: dateMs !== undefined && Math.abs(byOurClock - byTheirClock) <= SKEW_MS,
  };
}
