import type { FileInput } from '@virgule/client/rest';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { MessageParts } from './answer.js';
import { CommandAnswer } from './command-answer.js';
import { nextStep, type Action } from './transitions.js';
import { NOTHING_SENT } from './sent-message.js';

/** Answer of a called command, which stays in memory until the caller gets it. */
export class CallAnswer extends CommandAnswer {
  readonly followUps: string[] = [];
  readonly files: FileInput[] = [];

  async defer(): Promise<void> {}

  protected async attempt(action: Action, { content, files = [] }: MessageParts) {
    const command = this.commandName;
    if (this.lifeSignal.aborted) throw runtimeErrors.E_CALL({ kind: 'late', command });
    this.files.push(...files);
    const find = () => Promise.reject(runtimeErrors.E_CALL({ kind: 'message', command }));
    if (nextStep(this.progress, action) !== 'follow-up') {
      this.reached('answered');
      return { isAnswer: true, answer: NOTHING_SENT, held: { find } };
    }
    const index = this.followUps.push(content) - 1;
    const edit = async (edited: string): Promise<void> => void (this.followUps[index] = edited);
    return { isAnswer: false, answer: NOTHING_SENT, held: { find, edit } };
  }
}
