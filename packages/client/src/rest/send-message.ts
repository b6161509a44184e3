import type { Clock } from '@virgule/core/clock';
import { ENDPOINTS, type Message } from '@virgule/core/protocol';
import type { MessageSender } from '../reconcile/message-sender.js';
import type { FileSender } from '../upload/send-files.js';
import { checkFiles, checkInput, checkOptions } from './check-input.js';
import type { MessageBody, SendMessageOptions } from './messages.js';

/** `messages.send`: files first, then the message. */
export type SendMessage = (
  channelId: string,
  body: MessageBody,
  options?: SendMessageOptions,
) => Promise<Message | undefined>;

export interface SendMessageCallOptions {
  readonly sendPlain: MessageSender;
  readonly sendFiles: FileSender;
  readonly clock: Clock;
  readonly token: string;
  /** Time for a call that does not say its own, in milliseconds. */
  readonly deadlineMs: number;
  /** The same for one with files. */
  readonly uploadDeadlineMs: number;
}

const NAME = 'messages.send';

export function createSendMessage(options: SendMessageCallOptions): SendMessage {
  const { sendPlain, sendFiles, clock, token } = options;
  return async (channelId, body, sendOptions = {}) => {
    checkOptions(NAME, sendOptions);
    const { signal, priority, onRetry, reconcile = false } = sendOptions;
    const usualMs = body?.files ? options.uploadDeadlineMs : options.deadlineMs;
    const dueMs = clock.monotonic() + (sendOptions.deadlineMs ?? usualMs);
    if (!body?.files) {
      checkInput(ENDPOINTS[NAME], { parameters: { channelId }, body }, token);
      return sendPlain(channelId, body, { signal, priority, onRetry, dueMs, reconcile });
    }
    const { files, ...message } = body;
    const known = message.attachments ?? [];
    checkFiles(NAME, files);
    // Before anything is uploaded for it. What the files become does not matter here, but that they are.
    const attachments = [...known, ...files];
    checkInput(
      ENDPOINTS[NAME],
      { parameters: { channelId }, body: { ...message, attachments } },
      token,
    );
    const drafts = await sendFiles(files, { endpoint: NAME, channelId, dueMs }, sendOptions);
    const complete = { ...message, attachments: [...known, ...drafts] };
    return sendPlain(channelId, complete, { signal, priority, onRetry, dueMs, reconcile });
  };
}
