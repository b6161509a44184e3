import type {
  EditMessageRequest,
  InteractionResponseRequest,
  Message,
} from '@virgule/core/protocol';
import type { FileInput } from '../upload/files.js';
import type { SendWithFiles } from '../upload/send-files.js';
import type { Accepted } from '../request/caller.js';
import type { Api } from './api.js';
import type { CallOptions } from '../request/call.js';

/** An answer with files to upload. */
export interface InteractionFilesBody {
  /** Text of 1 to 2000 characters; none when it is absent, null or empty. */
  readonly content?: string | null | undefined;
  readonly replyToMessageId?: InteractionResponseRequest['replyToMessageId'];
  /** Files that were uploaded before; they come first. */
  readonly attachments?: InteractionResponseRequest['attachments'];
  /** Paths, bytes, streams, Blobs, or `{ name, data }`. */
  readonly files: readonly FileInput[];
  /** The channel of the command, from its event: files are uploaded for a channel. */
  readonly channelId: string;
}

/** Body of an answer, with files or without. */
export type InteractionBody = InteractionResponseRequest | InteractionFilesBody;

/** The response to a message that was sent as an answer to a command. */
export interface SentAnswer {
  /** Parses the response, which takes a tenth of the time of a command. Returns its message; `undefined` without one. */
  message(): Message | undefined;
}

type AnswerCall<Body> = (
  interactionId: string,
  body: Body,
  options?: CallOptions,
) => Promise<SentAnswer>;

/**
 * Answers to a slash command, over separate connections: no other call or interaction is ahead of them. The calls of an
 * interaction are sent in order, each after the end of the previous one, with files after their upload.
 */
export interface InteractionCalls {
  /** Acknowledges the command, showing nothing (Bot Interface, Endpoints #27). */
  ack(interactionId: string, options?: CallOptions): Promise<void>;
  /** Shows a thinking state, to be filled in by `respond` (#28). */
  defer(interactionId: string, options?: CallOptions): Promise<void>;
  /**
   * Creates the answer, also after a defer (#31). Never sent twice by itself. Files are uploaded
   * first, which takes its time: defer before.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been created; `editResponse` settles
   * it: 404 means that it never was. `E_UPLOAD_FAILED` when a file did not arrive: nothing was created.
   *
   * @example
   * ```ts
   * const answer = await rest.interactions.respond(interactionId, { content: 'Done.' });
   * console.log(answer.message()?.id);
   * ```
   */
  readonly respond: AnswerCall<InteractionBody>;
  /** Replaces the content of the answer; it cannot carry files (#30). */
  readonly editResponse: AnswerCall<EditMessageRequest>;
  /**
   * Sends one more message after the answer, with its files (#29). Never sent twice by itself.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been sent, `E_UPLOAD_FAILED` when nothing was sent.
   */
  readonly followUp: AnswerCall<InteractionBody>;
}

export function createAnswerCalls(
  api: Api,
  send: SendWithFiles,
): Pick<InteractionCalls, 'respond' | 'editResponse' | 'followUp'> {
  // The likely response of the three is the same.
  const toAnswer = (accepted: Accepted): SentAnswer => ({
    message: () => api.parse('interactions.respond', accepted),
  });
  return {
    respond: (interactionId, body, options) =>
      send('interactions.respond', { interactionId }, body, options).then(toAnswer),
    editResponse(interactionId, body, options) {
      const input = { parameters: { interactionId }, body };
      return api.send('interactions.editResponse', input, options).then(toAnswer);
    },
    followUp: (interactionId, body, options) =>
      send('interactions.followUp', { interactionId }, body, options).then(toAnswer),
  };
}
