import type {
  EditMessageRequest,
  InteractionResponseRequest,
  Message,
} from '@virgule/core/protocol';
import type { FileInput } from '../upload/file-input.js';
import type { FileCallOptions } from '../upload/file-call-options.js';
import type { ApiCall } from './api-call.js';
import type { SendAnswer } from './send-answer.js';
import type { CallOptions } from './rest-options.js';

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

/** Taken by `respond`. */
export interface RespondOptions extends FileCallOptions {
  /**
   * Whether the message that the answer became is read and returned. The Bot Interface does not show
   * it, almost no bot has a use for it, and reading it takes about a tenth of the time of a whole
   * command. @defaultValue `false`
   */
  readonly wantsMessage?: boolean | undefined;
}

/** Taken by `respond`, which then returns the message. */
export interface RespondWithMessageOptions extends RespondOptions {
  readonly wantsMessage: true;
}

/**
 * Answers to a slash command. They have connections of their own: no other call, and no other
 * interaction, is ahead of them. The calls of one interaction are sent in the order they are made,
 * each when the one before has ended. Where a message is not shown in the answer it is `undefined`.
 */
export interface InteractionCalls {
  /** Acknowledges the command, showing nothing (Bot Interface, Endpoints #27). */
  ack(interactionId: string, options?: CallOptions): Promise<void>;
  /** Shows a thinking state, to be filled in by `respond` (#28). */
  defer(interactionId: string, options?: CallOptions): Promise<void>;
  /**
   * Creates the answer, also after a defer (#31). Never sent twice by itself. Files are uploaded
   * first, which takes its time: defer before. The message that it becomes is given to those who ask
   * for it, with `wantsMessage`.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been created; `editResponse` settles
   * it: 404 means that it never was. `E_UPLOAD_FAILED` when a file did not arrive: nothing was created.
   */
  respond(
    interactionId: string,
    body: InteractionResponseRequest | InteractionFilesBody,
    options: RespondWithMessageOptions,
  ): Promise<Message | undefined>;
  respond(
    interactionId: string,
    body: InteractionResponseRequest | InteractionFilesBody,
    options?: RespondOptions,
  ): Promise<void>;
  /** Replaces the content of the answer; it cannot carry files (#30). */
  editResponse(
    interactionId: string,
    body: EditMessageRequest,
    options?: CallOptions,
  ): Promise<Message | undefined>;
  /**
   * Sends one more message after the answer, with its files (#29). Never sent twice by itself.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been sent, `E_UPLOAD_FAILED` when a file
   * did not arrive: then nothing was sent.
   */
  followUp(
    interactionId: string,
    body: InteractionResponseRequest | InteractionFilesBody,
    options?: FileCallOptions,
  ): Promise<Message | undefined>;
}

export function createInteractionCalls(call: ApiCall, answer: SendAnswer): InteractionCalls {
  const respond = (
    interactionId: string,
    body: InteractionResponseRequest | InteractionFilesBody,
    options?: RespondOptions,
  ): Promise<unknown> =>
    answer(
      'interactions.respond',
      interactionId,
      body,
      options,
      Object(options).wantsMessage === true,
    );
  return {
    ack: (interactionId, options) =>
      call('interactions.ack', { parameters: { interactionId } }, options),
    defer: (interactionId, options) =>
      call('interactions.defer', { parameters: { interactionId } }, options),
    // The one function for both: it gives nothing to those who did not ask.
    respond: respond as InteractionCalls['respond'],
    editResponse: (interactionId, body, options) =>
      call('interactions.editResponse', { parameters: { interactionId }, body }, options),
    followUp: (interactionId, body, options) =>
      answer('interactions.followUp', interactionId, body, options, true),
  };
}
