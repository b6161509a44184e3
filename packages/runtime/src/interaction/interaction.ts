import type { Rest } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH, type Message, type Profile } from '@virgule/core/protocol';
import type { MessageParts } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import {
  nextStep,
  outcomeOf,
  stateAfter,
  type Call,
  type InteractionState,
  type Wish,
} from './transitions.js';

export interface InteractionOptions {
  readonly id: string;
  readonly commandName: string;
  readonly calls: Rest['interactions'];
  readonly profile: Profile;
  readonly log: Log;
}

/** What a write led to. */
export interface Written {
  /** What the platform answered, when it was the message. */
  readonly message: Message | undefined;
  /** Whether the text is the interaction's answer; a follow-up is a message of its own. */
  readonly isAnswer: boolean;
}

/**
 * One run of a command, towards the platform. Wishes are fulfilled strictly one after the other, so
 * that an answer never overtakes a defer that is on its way; each is decided by the state at its turn.
 */
export class Interaction {
  readonly #options: InteractionOptions;
  #state: InteractionState = 'received';
  #tail: Promise<unknown> = Promise.resolve();
  #content: string | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: InteractionOptions) {
    this.#options = options;
  }

  get state(): InteractionState {
    return this.#state;
  }

  /** Text of the answer as it stands; `undefined` while there is none. */
  get content(): string | undefined {
    return this.#content;
  }

  /** Why the last thing that was to be written could not be; `undefined` when it could. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Resolves when everything that was wished for so far has had its turn. Never rejects. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  /** Shows the thinking state, unless something was sent before. */
  defer(): Promise<void> {
    return this.#inTurn(() => this.#wish('defer'));
  }

  /** Stops the expiry and shows nothing, unless something was sent before. */
  acknowledge(): Promise<void> {
    return this.#inTurn(() => this.#wish('acknowledge'));
  }

  /** Creates the answer, or replaces its text. */
  write(parts: MessageParts): Promise<Written> {
    return this.#inTurn(() => this.#send('write answer', parts));
  }

  /** Creates the answer, or, when there is one, sends a follow-up. */
  reply(parts: MessageParts): Promise<Written> {
    return this.#inTurn(() => this.#send('reply', parts));
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#tail.then(task);
    // The next one in turn goes on whatever became of this one; its caller sees the error.
    this.#tail = run.catch(() => {});
    return run;
  }

  async #wish(wish: Wish): Promise<void> {
    const { calls, id } = this.#options;
    const step = nextStep(this.#state, wish);
    if (step === 'defer') await this.#attempt('defer', () => calls.defer(id));
    else if (step === 'ack') await this.#attempt('ack', () => calls.ack(id));
  }

  async #send(wish: Wish, parts: MessageParts): Promise<Written> {
    try {
      const written = await this.#deliver(wish, parts);
      this.#failure = undefined;
      if (written.isAnswer) this.#content = parts.content;
      return written;
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }

  async #deliver(wish: Wish, parts: MessageParts): Promise<Written> {
    this.#check(parts);
    const { calls, id, commandName } = this.#options;
    const body = {
      content: parts.content,
      attachments: parts.attachments,
      replyToMessageId: parts.replyTo,
    };
    const step = nextStep(this.#state, wish);
    switch (step) {
      case 'respond':
        return {
          message: await this.#respond(parts, () => calls.respond(id, body)),
          isAnswer: true,
        };
      case 'edit':
        if (parts.attachments?.length) throw runtimeErrors.E_EDIT_WITH_FILES({ commandName });
        return {
          message: await this.#attempt('edit', () =>
            calls.editResponse(id, { content: parts.content }),
          ),
          isAnswer: true,
        };
      case 'follow up':
        return {
          message: await this.#attempt('follow up', () => calls.followUp(id, body)),
          isAnswer: false,
        };
      default:
        throw runtimeErrors.E_INTERACTION_EXPIRED({
          commandName,
          interactionId: id,
          state: this.#state,
        });
    }
  }

  /** Sends the answer. When its fate is unknown, endpoint 30 tells: it edits an answer that exists. Never a second 31. */
  async #respond(
    parts: MessageParts,
    call: () => Promise<Message | undefined>,
  ): Promise<Message | undefined> {
    const { calls, id, profile, log } = this.#options;
    try {
      return await this.#attempt('respond', call);
    } catch (error) {
      if (outcomeOf(error, profile) !== 'unknown') throw error;
      log.warn(
        { interactionId: id },
        'It is unknown whether the answer arrived. Trying to edit it.',
      );
      try {
        return await this.#attempt('edit', () =>
          calls.editResponse(id, { content: parts.content }),
        );
      } catch {
        this.#state = 'failed';
        throw error;
      }
    }
  }

  async #attempt<T>(call: Call, send: () => Promise<T>): Promise<T> {
    const { profile, id, commandName } = this.#options;
    try {
      const result = await send();
      this.#state = stateAfter(this.#state, call, 'done');
      return result;
    } catch (error) {
      const outcome = outcomeOf(error, profile);
      this.#state = stateAfter(this.#state, call, outcome);
      if (outcome === 'gone') {
        throw runtimeErrors.E_INTERACTION_EXPIRED(
          { commandName, interactionId: id, state: this.#state },
          { cause: error },
        );
      }
      throw error;
    }
  }

  #check({ content }: MessageParts): void {
    const { commandName } = this.#options;
    if (typeof content !== 'string')
      throw runtimeErrors.E_ANSWER_TYPE({ commandName, saw: typeof content });
    if (content.length === 0 || content.length > CONTENT_MAX_LENGTH) {
      throw runtimeErrors.E_CONTENT_LENGTH({ commandName, length: content.length });
    }
  }
}
