import type { SentAnswer } from '@virgule/client/rest';
import type { MessageParts } from './answer.js';
import { InteractionCalls } from './interaction-calls.js';
import { saysNothingThere } from './transitions.js';

/** The result of a write. */
export interface Written {
  /** Response of the platform. It is parsed only when its message is used. */
  readonly answer: SentAnswer;
  /** `true` if the text is the answer of the interaction; `false` for a follow-up. */
  readonly isAnswer: boolean;
  /** Text as it was passed. */
  readonly content: string;
}

/** A written message, with the files that still have to follow. */
export interface Attempted extends Omit<Written, 'content'> {
  readonly files?: MessageParts['attachments'];
}

/** Text for an edit of an answer that has only files: an edit needs a text. */
export const NO_TEXT = '📎';

/** The calls of an interaction, with the settlement of a first answer whose outcome is unknown. */
export class SettledCalls extends InteractionCalls {
  /**
   * Settles an answer whose outcome is unknown, without a second call of endpoint 31: endpoint 30 edits an existing
   * answer. If there is nothing to edit, a defer creates a thinking state that endpoint 30 replaces.
   *
   * @param isConclusive - `true` if an accepted edit shows that the answer exists, with its files.
   */
  protected async settle(
    { content: text, attachments }: MessageParts,
    signal: AbortSignal | undefined,
    isConclusive: boolean,
  ): Promise<Attempted> {
    const content = text || NO_TEXT;
    const isAgain = this.isAnswerUnknown;
    try {
      let answer = await this.send('edit', { content }, signal);
      let message = answer.message();
      if (isAgain && !message) {
        // A platform may accept an edit although there is no answer. After a defer, there is a thinking state to edit.
        answer = await this.pursue(() => this.#reopen(content, signal));
        message = answer.message();
      }
      if (isConclusive || !attachments?.length) return { isAnswer: true, answer };
      // An edit replaces a thinking state as well, and the files are missing then. Sending files twice is better than losing them.
      const mayLackFiles = !message?.attachments.length;
      return { isAnswer: true, answer, files: mayLackFiles ? attachments : undefined };
    } catch (error) {
      if (this.isReopened || !saysNothingThere(error, this.env.profile)) throw error;
    }
    return { isAnswer: true, answer: await this.#reopen(content, signal), files: attachments };
  }

  async #reopen(content: string, signal: AbortSignal | undefined): Promise<SentAnswer> {
    await this.sendOpen('defer');
    this.isReopened = true;
    return this.send('edit', { content }, signal);
  }
}
