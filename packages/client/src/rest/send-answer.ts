import type { Clock } from '@virgule/core/clock';
import { ENDPOINTS, type InteractionResponseRequest, type Message } from '@virgule/core/protocol';
import type { SentLog } from '../reconcile/sent-log.js';
import type { FileSender } from '../upload/send-files.js';
import type { ApiCall } from './api-call.js';
import { checkDeadline, checkFiles, checkInput } from './check-input.js';
import type { InteractionFilesBody, RespondOptions } from './interactions.js';

type Name = 'interactions.respond' | 'interactions.followUp';

/** Sends an answer to a command: files first, then the answer. */
export type SendAnswer = (
  name: Name,
  interactionId: string,
  body: InteractionResponseRequest | InteractionFilesBody,
  options?: RespondOptions,
) => Promise<Message | undefined>;

export interface SendAnswerOptions {
  readonly call: ApiCall;
  readonly sendFiles: FileSender;
  readonly sent: SentLog;
  readonly clock: Clock;
  readonly token: string;
  /** Time for an answer with files that does not say its own, in milliseconds. */
  readonly uploadDeadlineMs: number;
}

export function createSendAnswer(options: SendAnswerOptions): SendAnswer {
  const { call, sendFiles, sent, clock, token, uploadDeadlineMs } = options;

  async function sendWithFiles(
    name: Name,
    interactionId: string,
    { files, channelId, ...rest }: InteractionFilesBody,
    answerOptions: RespondOptions,
  ): Promise<Message | undefined> {
    const { signal, deadlineMs } = answerOptions;
    checkDeadline(name, deadlineMs);
    checkFiles(name, files);
    const known = rest.attachments ?? [];
    // Null stands for no text.
    const answer = { ...rest, content: rest.content || null };
    // Before anything is uploaded for it. What the files become does not matter here, but that they are.
    const body = { ...answer, attachments: [...known, ...files] };
    checkInput(ENDPOINTS[name], { parameters: { interactionId, channelId }, body }, token);
    const dueMs = clock.monotonic() + (deadlineMs ?? uploadDeadlineMs);
    const drafts = await sendFiles(files, { endpoint: name, channelId, dueMs }, answerOptions);
    const message = await call(
      name,
      { parameters: { interactionId }, body: { ...answer, attachments: [...known, ...drafts] } },
      { signal, deadlineMs: Math.max(0, dueMs - clock.monotonic()) },
    );
    sent.note(message);
    return message;
  }

  return (name, interactionId, body, answerOptions) => {
    if (typeof body === 'object' && body !== null && 'files' in body && body.files) {
      return sendWithFiles(name, interactionId, body, answerOptions ?? {});
    }
    const input = { parameters: { interactionId }, body };
    // The way of every command: nothing is added to it until somebody asks to reconcile.
    if (!sent.isWatched) return call(name, input, answerOptions);
    return call(name, input, { ...answerOptions, wantsMessage: true }).then(sent.note);
  };
}
