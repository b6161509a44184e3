import type {
  EditMessageRequest,
  InteractionResponseRequest,
  Message,
} from '@virgule/core/protocol';
import type { ApiCall } from './api-call.js';
import type { CallOptions } from './rest-options.js';

/**
 * Answers to a slash command. They have connections of their own: no other call, and no other
 * interaction, stands in front of them. Where a message is not shown in the answer it is `undefined`.
 */
export interface InteractionCalls {
  /** Acknowledges the command, showing nothing (Bot Interface, Endpoints #27). */
  ack(interactionId: string, options?: CallOptions): Promise<void>;
  /** Shows a thinking state, to be filled in by `respond` (#28). */
  defer(interactionId: string, options?: CallOptions): Promise<void>;
  /**
   * Creates the answer, also after a defer (#31). Never sent twice by itself.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been created; `editResponse` settles
   * it: 404 means that it never was.
   */
  respond(
    interactionId: string,
    body: InteractionResponseRequest,
    options?: CallOptions,
  ): Promise<Message | undefined>;
  /** Replaces the content of the answer; it cannot carry files (#30). */
  editResponse(
    interactionId: string,
    body: EditMessageRequest,
    options?: CallOptions,
  ): Promise<Message | undefined>;
  /**
   * Sends one more message after the answer (#29). Never sent twice by itself.
   *
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when it may have been sent.
   */
  followUp(
    interactionId: string,
    body: InteractionResponseRequest,
    options?: CallOptions,
  ): Promise<Message | undefined>;
}

export function createInteractionCalls(call: ApiCall): InteractionCalls {
  return {
    ack: (interactionId, options) =>
      call('interactions.ack', { parameters: { interactionId } }, options),
    defer: (interactionId, options) =>
      call('interactions.defer', { parameters: { interactionId } }, options),
    respond: (interactionId, body, options) =>
      call('interactions.respond', { parameters: { interactionId }, body }, options),
    editResponse: (interactionId, body, options) =>
      call('interactions.editResponse', { parameters: { interactionId }, body }, options),
    followUp: (interactionId, body, options) =>
      call('interactions.followUp', { parameters: { interactionId }, body }, options),
  };
}
