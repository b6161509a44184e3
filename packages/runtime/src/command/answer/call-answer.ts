import type { FileInput } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { checkMessage, type MessageParts } from './answer.js';
import type { AnswerPort, WriteOptions, Written } from './answer-port.js';
import { OrderedAnswer } from './ordered-answer.js';
import type { InteractionState } from './transitions.js';

/** Answer of a called command, which stays in memory until the caller gets it. */
export class CallAnswer extends OrderedAnswer implements AnswerPort {
  readonly takesFiles = true;
  readonly isAnsweredBefore = false;
  readonly #commandName: string;
  readonly #log: Log;
  readonly followUps: string[] = [];
  readonly files: FileInput[] = [];
  state: InteractionState = 'received';
  content: string | undefined;
  isUnfinished = false;
  failure: { readonly error: unknown } | undefined;
  #hasEnded = false;

  constructor(commandName: string, log: Log) {
    super();
    this.#commandName = commandName;
    this.#log = log;
  }

  async defer(): Promise<void> {}

  autoDefer(): void {}

  async acknowledge(): Promise<void> {
    if (this.state === 'received') this.state = 'acknowledged';
  }

  async replaceThinking(): Promise<void> {}

  write(parts: MessageParts, { isState = false }: WriteOptions = {}): Promise<Written> {
    return this.#take(parts, () => {
      this.isUnfinished = isState;
      return this.#answer(parts.content);
    });
  }

  reply(parts: MessageParts): Promise<Written> {
    return this.#take(parts, () =>
      this.state === 'answered' ? this.#followUp(parts.content) : this.#answer(parts.content),
    );
  }

  readonly pursue: AnswerPort['pursue'] = (call) => call();

  finish(): void {
    this.isUnfinished = false;
  }

  remember(): void {}

  end(): void {
    this.#hasEnded = true;
  }

  async #take(parts: MessageParts, write: () => Written): Promise<Written> {
    try {
      if (this.#hasEnded) throw runtimeErrors.E_CALL({ kind: 'late', command: this.#commandName });
      checkMessage(parts, this.#commandName, this.#log);
      this.files.push(...(parts.files ?? []));
      this.failure = undefined;
      return write();
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  #answer(content: string): Written {
    this.state = 'answered';
    this.content = content;
    return this.#written(content, true);
  }

  #followUp(content: string): Written {
    const index = this.followUps.push(content) - 1;
    return this.#written(content, false, async (edited) => {
      this.followUps[index] = edited;
    });
  }

  #written(content: string, isAnswer: boolean, edit?: (content: string) => Promise<void>): Written {
    const command = this.#commandName;
    const find = () => Promise.reject(runtimeErrors.E_CALL({ kind: 'message', command }));
    return { answer: NOTHING_SENT, isAnswer, content, held: { find, ...(edit && { edit }) } };
  }
}

const NOTHING_SENT: Written['answer'] = { message: () => undefined };
