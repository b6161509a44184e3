import type { Message, MessagePage } from '@virgule/core/protocol';

/** The part of a REST client that reads messages back; `createRest` makes one that fits. */
export interface MessageHistory {
  readonly messages: {
    list(
      channelId: string,
      query: { readonly before?: string | undefined },
      options: { readonly signal: AbortSignal },
    ): Promise<MessagePage>;
  };
}

export interface ReadMissedOptions {
  readonly rest: MessageHistory;
  readonly channelId: string;
  /** Messages from this time on, in milliseconds since the epoch by the platform's clock. */
  readonly sinceMs: number;
  readonly signal: AbortSignal;
}

export interface MissedMessages {
  /** Oldest first. */
  readonly messages: readonly Message[];
  /** False when there were too many; the oldest of them are missing then. */
  readonly complete: boolean;
}

/** More pages than these are not read; a page has 50 messages unless the platform does otherwise. */
const MAX_PAGES = 10;

/** Reads a channel backwards until the messages are too old (Bot Interface, Endpoints #5). */
export async function readMissed(options: ReadMissedOptions): Promise<MissedMessages> {
  const { rest, channelId, sinceMs, signal } = options;
  // One whose time cannot be read may be missed.
  const isMissed = ({ createdAt }: Message): boolean => !(Date.parse(createdAt) < sinceMs);
  const found: Message[] = [];
  let before: string | undefined;
  let complete = false;
  for (let pages = 0; pages < MAX_PAGES && !complete; pages += 1) {
    const page = await rest.messages.list(channelId, before === undefined ? {} : { before }, {
      signal,
    });
    found.push(...page.messages.filter((message) => isMissed(message) && !message.isDeleted));
    complete =
      !page.hasMore ||
      page.oldestId === null ||
      page.oldestId === before ||
      !page.messages.every(isMissed);
    before = page.oldestId ?? undefined;
  }
  // Newest first is assumed; for the messages of one millisecond it is all there is to go by.
  const messages = found
    .reverse()
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return { messages, complete };
}
