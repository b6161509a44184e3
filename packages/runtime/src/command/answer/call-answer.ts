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
    return this.#take(parts, true, isState);
  }

  reply(parts: MessageParts): Promise<Written> {
    return this.#take(parts, this.state !== 'answered', false);
  }

  readonly pursue: AnswerPort['pursue'] = (call) => call();

  finish(): void {
    this.isUnfinished = false;
  }

  remember(): void {}

  end(): void {
    this.#hasEnded = true;
  }

  async #take(parts: MessageParts, isAnswer: boolean, isState: boolean): Promise<Written> {
    const command = this.#commandName;
    const { content, files = [] } = parts;
    try {
      if (this.#hasEnded) throw runtimeErrors.E_CALL({ kind: 'late', command });
      checkMessage(parts, command, this.#log);
    } catch (error) {
      this.failure = { error };
      throw error;
    }
    this.failure = undefined;
    this.files.push(...files);
    const find = () => Promise.reject(runtimeErrors.E_CALL({ kind: 'message', command }));
    const written = { answer: NOTHING_SENT, isAnswer, content };
    if (!isAnswer) {
      const index = this.followUps.push(content) - 1;
      const edit = async (edited: string): Promise<void> => {
        this.followUps[index] = edited;
      };
      return { ...written, held: { find, edit } };
    }
    this.state = 'answered';
    this.content = content;
    this.isUnfinished = isState;
    return { ...written, held: { find } };
  }
}

const NOTHING_SENT: Written['answer'] = { message: () => undefined };
