import type { FileInput } from '@virgule/client/rest';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { MessageParts } from './answer.js';
import type { AnswerPort, Written } from './answer-port.js';
import { PlainAnswer } from './plain-answer.js';

/** Answer of a called command, which stays in memory until the caller gets it. */
export class CallAnswer extends PlainAnswer implements AnswerPort {
  readonly takesFiles = true;
  readonly followUps: string[] = [];
  readonly files: FileInput[] = [];
  #hasEnded = false;

  async defer(): Promise<void> {}

  autoDefer(): void {}

  readonly pursue: AnswerPort['pursue'] = (call) => call();

  end(): void {
    this.#hasEnded = true;
  }

  protected async deliver({ content, files = [] }: MessageParts, isAnswer: boolean) {
    const command = this.commandName;
    if (this.#hasEnded) throw runtimeErrors.E_CALL({ kind: 'late', command });
    this.files.push(...files);
    const find = () => Promise.reject(runtimeErrors.E_CALL({ kind: 'message', command }));
    if (isAnswer) {
      this.state = 'answered';
      return { answer: NOTHING_SENT, held: { find } };
    }
    const index = this.followUps.push(content) - 1;
    const edit = async (edited: string): Promise<void> => {
      this.followUps[index] = edited;
    };
    return { answer: NOTHING_SENT, held: { find, edit } };
  }
}

const NOTHING_SENT: Written['answer'] = { message: () => undefined };
