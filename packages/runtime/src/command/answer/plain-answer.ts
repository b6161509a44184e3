import type { Log } from '@virgule/core/log';
import { checkMessage, type MessageParts } from './answer.js';
import type { WriteOptions, Written } from './answer-port.js';
import { OrderedAnswer } from './ordered-answer.js';
import type { OpenInteraction } from '../interaction-journal.js';
import type { InteractionState } from './transitions.js';

/** Answer without an interaction: it does not expire, and no other process knows of it. */
export abstract class PlainAnswer extends OrderedAnswer {
  readonly isAnsweredBefore = false;
  protected readonly commandName: string;
  readonly #log: Log;
  state: InteractionState = 'received';

  constructor(commandName: string, log: Log) {
    super();
    this.commandName = commandName;
    this.#log = log;
  }

  /** Delivers a message: the answer, or an edit of the answer if the state is `answered`; else a follow-up. */
  protected abstract deliver(
    parts: MessageParts,
    isAnswer: boolean,
    options: WriteOptions,
  ): Promise<Pick<Written, 'answer' | 'held'>>;

  async acknowledge(): Promise<void> {
    if (this.state === 'received') this.state = 'acknowledged';
  }

  async replaceThinking(): Promise<void> {}

  write(parts: MessageParts, options: WriteOptions = {}): Promise<Written> {
    return this.#send(parts, true, options);
  }

  reply(parts: MessageParts): Promise<Written> {
    return this.#send(parts, false, {});
  }

  async finish(): Promise<void> {
    this.isUnfinished = false;
  }

  remember(_shows: OpenInteraction['shows']): void {}

  async #send(parts: MessageParts, mayEdit: boolean, options: WriteOptions): Promise<Written> {
    const turn = this.messages.take();
    if (turn) await turn;
    try {
      checkMessage(parts, this.commandName, this.#log);
      const isAnswer = mayEdit || this.state !== 'answered';
      const delivered = await this.deliver(parts, isAnswer, options);
      const { content } = parts;
      this.failure = undefined;
      if (isAnswer) {
        this.content = content;
        this.isUnfinished = options.isState ?? false;
      }
      return { ...delivered, isAnswer, content };
    } catch (error) {
      this.failure = { error };
      throw error;
    } finally {
      this.messages.pass();
    }
  }
}
