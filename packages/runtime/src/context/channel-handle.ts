import type { Rest } from '@virgule/client/rest';
import { toParts, type MessageInput } from '../define/answer.js';
import { createSentMessage, type SentMessage } from './sent-message.js';

/** A channel to write to. Every member can be destructured. */
export interface ChannelHandle {
  readonly id: string;
  /** Sends a message. Endpoint 6. */
  readonly send: (input: MessageInput) => Promise<SentMessage>;
  /** Shows that the bot is typing; it fades after a few seconds. Endpoint 11. */
  readonly typing: () => Promise<void>;
}

/** Where a signal comes from. It is read when a call needs it, since it may be made only then. */
export interface SignalSource {
  readonly signal: AbortSignal;
}

export function createChannelHandle(
  rest: Rest,
  channelId: string,
  life: SignalSource,
): ChannelHandle {
  return {
    id: channelId,
    async send(input) {
      const { content, attachments, replyTo } = toParts(input);
      const message = await rest.messages.send(
        channelId,
        { content, attachments, replyToMessageId: replyTo },
        { signal: life.signal },
      );
      return createSentMessage({ rest, channelId, content, known: message });
    },
    typing: () => rest.channels.typing(channelId, { signal: life.signal }),
  };
}
