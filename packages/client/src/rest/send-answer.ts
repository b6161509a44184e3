import type { Clock } from '@virgule/core/clock';
import { isObject } from '@virgule/core/objects';
import { ENDPOINTS, type InteractionResponseRequest, type Message } from '@virgule/core/protocol';
import type { SentLog } from '../reconcile/sent-log.js';
import type { FileSender } from '../upload/send-files.js';
import type { ApiRequest } from './api-call.js';
import type { ApiInput } from './api-plan.js';
import { checkFiles, checkInput, checkOptions } from './check-input.js';
import type { FileCallOptions } from '../upload/file-call-options.js';
import type { InteractionFilesBody } from './interactions.js';
import type { CallOptions } from './rest-options.js';

type Name = 'interactions.respond' | 'interactions.followUp';

/** Sends an answer to a command: files first, then the answer. Returns its message when it is wanted. */
export type SendAnswer = (
  name: Name,
  interactionId: string,
  body: InteractionResponseRequest | InteractionFilesBody,
  options: FileCallOptions | undefined,
  wantsMessage: boolean,
) => Promise<Message | undefined>;

export interface SendAnswerOptions {
  readonly request: ApiRequest;
  readonly sendFiles: FileSender;
  readonly sent: SentLog;
  readonly clock: Clock;
  readonly token: string;
  /** Time for an answer with files that does not say its own, in milliseconds. */
  readonly uploadDeadlineMs: number;
}

const nothing = (): undefined => undefined;

export function createSendAnswer(options: SendAnswerOptions): SendAnswer {
  const { request, sendFiles, sent, clock, token, uploadDeadlineMs } = options;

  // The path of every command: the answer is read only where it is used, or for those that reconcile.
  function send(
    name: Name,
    input: ApiInput,
    callOptions: CallOptions | undefined,
    wantsMessage: boolean,
  ): Promise<Message | undefined> {
    const sending = request(name, input, callOptions);
    if (!wantsMessage && !sent.isWatched) return sending.then(nothing);
    return sending.then((answered) => {
      const message = answered.read();
      sent.note(message);
      return wantsMessage ? message : undefined;
    });
  }

  async function sendWithFiles(
    name: Name,
    interactionId: string,
    { files, channelId, ...rest }: InteractionFilesBody,
    wantsMessage: boolean,
    answerOptions: FileCallOptions = {},
  ): Promise<Message | undefined> {
    checkOptions(name, answerOptions);
    const { signal, deadlineMs, onRetry } = answerOptions;
    checkFiles(name, files);
    const known = rest.attachments ?? [];
    // Null stands for no text.
    const answer = { ...rest, content: rest.content || null };
    // Before anything is uploaded for it. What the files become does not matter here, but that they are.
    const body = { ...answer, attachments: [...known, ...files] };
    checkInput(ENDPOINTS[name], { parameters: { interactionId, channelId }, body }, token);
    const dueMs = clock.monotonic() + (deadlineMs ?? uploadDeadlineMs);
    const of = { endpoint: name, channelId, dueMs, isAnswer: true };
    const drafts = await sendFiles(files, of, answerOptions);
    return send(
      name,
      { parameters: { interactionId }, body: { ...answer, attachments: [...known, ...drafts] } },
      { signal, onRetry, deadlineMs: Math.max(0, dueMs - clock.monotonic()) },
      wantsMessage,
    );
  }

  return (name, interactionId, body, answerOptions, wantsMessage) => {
    if (isObject(body) && 'files' in body && body.files) {
      return sendWithFiles(name, interactionId, body, wantsMessage, answerOptions);
    }
    return send(name, { parameters: { interactionId }, body }, answerOptions, wantsMessage);
  };
}
