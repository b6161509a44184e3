import type { Rest } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import { CONTENT_MAX_LENGTH, type Message, type Profile } from '@virgule/core/protocol';
import type { MessageParts } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { CallObserver } from './call-observer.js';
import {
  nextStep,
  outcomeOf,
  stateAfter,
  type Call,
  type InteractionState,
  type Outcome,
  type Step,
  type Wish,
} from './transitions.js';
import { warnOfEphemeral } from './warn-of-ephemeral.js';

export interface InteractionOptions {
  readonly id: string;
  readonly commandName: string;
  readonly calls: Rest['interactions'];
  readonly profile: Profile;
  readonly log: Log;
  /** Sees every call, from its start to what came of it. */
  readonly observer?: CallObserver | undefined;
}

export interface WriteOptions {
  /** Whether somebody looks at the message that becomes the answer. @defaultValue `true` */
  readonly wantsMessage?: boolean;
}

/** What a write led to. */
export interface Written {
  /** What the platform answered, when it was the message and somebody wants it. */
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
  /** Whether a wish has its turn. The next one waits, and whatever is waiting keeps it so. */
  #isBusy = false;
  /** Both are made for the few commands that need them. */
  #waiting: (() => void)[] | undefined;
  /** What is being made ready. */
  #preparing: Set<Promise<unknown>> | undefined;
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
    if (!this.#isBusy) return;
    await this.#turn();
    this.#next();
  }

  /** Has `settled` wait for what is still being made ready, such as an answer whose files are uploaded. */
  prepare<T>(task: Promise<T>): Promise<T> {
    const preparing = (this.#preparing ??= new Set());
    preparing.add(task);
    const forget = (): void => void preparing.delete(task);
    // The caller sees how it ends.
    task.finally(forget).catch(() => {});
    return task;
  }

  /** Resolves when nothing is being made ready and everything has had its turn. Never rejects. */
  async settled(): Promise<void> {
    while (this.#preparing?.size) await Promise.allSettled(this.#preparing);
    await this.idle();
  }

  /** Shows the thinking state, unless something was sent before. */
  defer(): Promise<void> {
    return this.#wish('defer');
  }

  /** Stops the expiry and shows nothing, unless something was sent before. */
  acknowledge(): Promise<void> {
    return this.#wish('acknowledge');
  }

  /** Creates the answer, or replaces its text. */
  write(parts: MessageParts, { wantsMessage = true }: WriteOptions = {}): Promise<Written> {
    return this.#send('write answer', parts, wantsMessage);
  }

  /** Creates the answer, or, when there is one, sends a follow-up. */
  reply(parts: MessageParts): Promise<Written> {
    return this.#send('reply', parts, true);
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => void (this.#waiting ??= []).push(resolve));
  }

  /** Hands the turn over; nobody who comes now gets in between. */
  #next(): void {
    const next = this.#waiting?.shift();
    if (next) next();
    else this.#isBusy = false;
  }

  async #wish(wish: Wish): Promise<void> {
    if (this.#isBusy) await this.#turn();
    this.#isBusy = true;
    try {
      const { calls, id, observer } = this.#options;
      const step = nextStep(this.#state, wish);
      if (step === 'defer') await this.#attempt('defer', calls.defer(id, observer?.callOptions));
      else if (step === 'ack') await this.#attempt('ack', calls.ack(id, observer?.callOptions));
    } finally {
      this.#next();
    }
  }

  async #send(wish: Wish, parts: MessageParts, wantsMessage: boolean): Promise<Written> {
    // Most commands write once and wait for nobody: a turn costs nothing then.
    if (this.#isBusy) await this.#turn();
    this.#isBusy = true;
    try {
      this.#check(parts);
      if ('ephemeral' in parts) warnOfEphemeral(this.#options.commandName, this.#options.log);
      const step = nextStep(this.#state, wish);
      let message: Message | undefined;
      try {
        message = await this.#carryOut(step, parts, wantsMessage);
      } catch (error) {
        if (step !== 'respond') throw error;
        message = await this.#settleAnswer(error, parts.content);
      }
      const isAnswer = step !== 'follow up';
      this.#failure = undefined;
      if (isAnswer) this.#content = parts.content;
      return { message, isAnswer };
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.#next();
    }
  }

  #carryOut(step: Step, parts: MessageParts, wantsMessage: boolean): Promise<Message | undefined> {
    const { calls, id, commandName, observer } = this.#options;
    const { attachments, replyTo: replyToMessageId } = parts;
    // Null stands for no text; it may only be missing beside files.
    const content = parts.content === '' ? null : parts.content;
    const options = observer?.callOptions;
    switch (step) {
      case 'respond': {
        const body = { content, attachments, replyToMessageId };
        const responding = wantsMessage
          ? calls.respond(id, body, { ...options, wantsMessage })
          : // Nothing comes of it, whatever its type leaves open.
            (calls.respond(id, body, options) as Promise<undefined>);
        return this.#attempt('respond', responding);
      }
      case 'edit':
        if (attachments?.length) throw runtimeErrors.E_EDIT_WITH_FILES({ commandName });
        return this.#attempt('edit', calls.editResponse(id, { content: parts.content }, options));
      case 'follow up': {
        const body = { content, attachments, replyToMessageId };
        return this.#attempt('follow up', calls.followUp(id, body, options));
      }
      default:
        throw runtimeErrors.E_INTERACTION_EXPIRED({
          commandName,
          interactionId: id,
          state: this.#state,
        });
    }
  }

  /** When the fate of an answer is unknown, endpoint 30 tells: it edits one that exists. Never a second 31. */
  async #settleAnswer(error: unknown, content: string): Promise<Message | undefined> {
    const { calls, id, profile, log, observer } = this.#options;
    if (outcomeOf(error, profile) !== 'unknown') throw error;
    log.warn({ interactionId: id }, 'It is unknown whether the answer arrived. Trying to edit it.');
    try {
      const editing = calls.editResponse(id, { content }, observer?.callOptions);
      return await this.#attempt('edit', editing);
    } catch {
      this.#state = 'failed';
      throw error;
    }
  }

  /** Takes note of what comes of a call that was just made. */
  #attempt<T>(call: Call, sending: Promise<T>): Promise<T> {
    this.#options.observer?.callStarted();
    return sending.then(
      (result) => {
        this.#ended(call, 'done');
        return result;
      },
      (error: unknown) => {
        const { profile, id: interactionId, commandName } = this.#options;
        const outcome = outcomeOf(error, profile);
        this.#ended(call, outcome);
        if (outcome !== 'gone') throw error;
        throw runtimeErrors.E_INTERACTION_EXPIRED(
          { commandName, interactionId, state: this.#state },
          { cause: error },
        );
      },
    );
  }

  #ended(call: Call, outcome: Outcome): void {
    const before = this.#state;
    this.#state = stateAfter(before, call, outcome);
    this.#options.observer?.callEnded(before, call, outcome);
  }

  #check({ content, attachments }: MessageParts): void {
    const { commandName } = this.#options;
    if (typeof content !== 'string')
      throw runtimeErrors.E_ANSWER_TYPE({ commandName, saw: typeof content });
    const isMissing = content.length === 0 && !attachments?.length;
    if (isMissing || content.length > CONTENT_MAX_LENGTH) {
      throw runtimeErrors.E_CONTENT_LENGTH({ commandName, length: content.length });
    }
  }
}
