import type { Clock } from '@virgule/core/clock';
import type { Message } from '@virgule/core/protocol';

/** One message of this client in flight to a channel. */
export interface Sending {
  readonly channelId: string;
  readonly content: string;
  /** A reading of `Clock.monotonic()`, in milliseconds. */
  readonly startMs: number;
}

interface Entry extends Sending {
  endMs: number | undefined;
  /** What it became, when the platform's answer said so. */
  messageId: string | undefined;
}

/** What else this client sent: a message of another call must not be taken for the one that is missed. */
export interface SentLog {
  begin(channelId: string, content: string): Sending;
  /** It was sent, or it is not known whether. */
  end(sending: Sending, message: Message | undefined): void;
  /** It was provably not sent. */
  drop(sending: Sending): void;
  /** Whether a call has asked to reconcile, so that `note` is worth its cost. */
  readonly isWatched: boolean;
  watch(): void;
  /** A message of this client that went another way, the answer to a command. */
  note(message: Message | undefined): void;
  /** Whether a message is known to come from another call. */
  isTaken(messageId: string): boolean;
  /** How many other calls sent the same text at that time and may be any message that shows it. */
  rivals(sending: Sending, sinceMs: number): number;
}

/** How many messages are remembered; only those of the last seconds matter. */
const REMEMBERED = 256;

export function createSentLog(clock: Pick<Clock, 'monotonic'>): SentLog {
  const entries = new Set<Entry>();
  const takenIds = new Set<string>();

  function forgetOldest(set: Set<unknown>): void {
    if (set.size <= REMEMBERED) return;
    const [oldest] = set;
    set.delete(oldest);
  }

  function note(message: Message | undefined): void {
    if (!message) return;
    takenIds.add(message.id);
    forgetOldest(takenIds);
  }

  let isWatched = false;
  return {
    get isWatched() {
      return isWatched;
    },
    watch: () => void (isWatched = true),
    begin(channelId, content) {
      const startMs = clock.monotonic();
      const entry: Entry = {
        channelId,
        content,
        startMs,
        endMs: undefined,
        messageId: undefined,
      };
      entries.add(entry);
      forgetOldest(entries);
      return entry;
    },
    end(sending, message) {
      // Only `begin` makes them.
      const entry = sending as Entry;
      entry.endMs = clock.monotonic();
      entry.messageId = message?.id;
      note(message);
    },
    drop: (sending) => void entries.delete(sending as Entry),
    note,
    isTaken: (messageId) => takenIds.has(messageId),
    rivals(sending, sinceMs) {
      let count = 0;
      for (const entry of entries) {
        if (entry === sending || entry.messageId !== undefined) continue;
        if (entry.channelId !== sending.channelId) continue;
        if (!isSameText(entry.content, sending.content)) continue;
        if ((entry.endMs ?? Number.POSITIVE_INFINITY) >= sinceMs) count += 1;
      }
      return count;
    },
  };
}

/** Whether the platform may show one text where the other was sent: blanks around it may be gone. */
export function isSameText(one: string, other: string): boolean {
  return one === other || normal(one) === normal(other);
}

function normal(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize('NFC').trim();
}
