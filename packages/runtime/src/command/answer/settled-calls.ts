import type { SentAnswer } from '@virgule/client/rest';
import type { MessageParts } from './answer.js';
import { InteractionCalls } from './interaction-calls.js';
import { saysNothingThere } from './transitions.js';

/** The result of a write. */
export interface Written {
  /** The response of the platform, which is parsed only when its message is used. */
  readonly answer: SentAnswer;
  /** Whether the text is the interaction's answer; a follow-up is a message of its own. */
  readonly isAnswer: boolean;
  /** The text, as it was passed. */
  readonly content: string;
}

/** A message that got through, with the files that still have to follow it. */
export interface Attempted extends Omit<Written, 'content'> {
  readonly files?: MessageParts['attachments'];
}

/** The text of an answer of files alone when it has to be edited: an edit needs one. */
export const NO_TEXT = '📎';

/** The calls of an interaction whose first answer may be there although it is not known. */
export class SettledCalls extends InteractionCalls {
  /**
   * Settles an answer whose outcome is unknown, without a second 31: endpoint 30 edits an answer that
   * exists. If there is nothing to edit, a defer creates a thinking state that 30 replaces.
   *
   * @param isConclusive - whether an edit that is accepted shows that the answer exists, with its files.
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
        // A platform may accept an edit of nothing. After a defer, there is something to edit.
        answer = await this.pursue(() => this.#reopen(content, signal));
        message = answer.message();
      }
      if (isConclusive || !attachments?.length) return { isAnswer: true, answer };
      // An edit replaces a thinking state as well: then the files are missing. Files that come twice do less harm than none.
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
