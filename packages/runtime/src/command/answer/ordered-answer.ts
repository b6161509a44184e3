import { Turns } from './turns.js';

/** Keeps the messages of an answer in their order, and knows whether all of them are sent. */
export class OrderedAnswer {
  /** Current text of the answer; `undefined` if this process has not answered. */
  content: string | undefined;
  /** `true` if the answer is an intermediate state: another state was expected to replace it. */
  isUnfinished = false;
  /** Error of the last write; `undefined` if the write succeeded. */
  failure: { readonly error: unknown } | undefined;
  /** Lock that a message holds from its first attempt to its last. */
  protected readonly messages = new Turns();
  #preparing: Set<Promise<unknown>> | undefined;

  /** Returns whether no message is being prepared, is waiting, or is in flight. */
  get isSettled(): boolean {
    return !this.messages.isTaken && !this.#preparing?.size;
  }

  /** Resolves when every message so far is sent or abandoned. Never rejects. */
  async idle(): Promise<void> {
    if (!this.messages.isTaken) return;
    await this.messages.take();
    this.messages.pass();
  }

  /** Makes `settled` wait for a message that is being prepared, such as during the upload of its files. */
  prepare<T>(task: Promise<T>): Promise<T> {
    const preparing = (this.#preparing ??= new Set());
    preparing.add(task);
    const forget = (): void => void preparing.delete(task);
    // The caller handles the result.
    task.finally(forget).catch(() => {});
    return task;
  }

  /** Resolves when no message is being prepared, and every message is sent or abandoned. Never rejects. */
  async settled(): Promise<void> {
    while (!this.isSettled) {
      if (this.#preparing?.size) await Promise.allSettled(this.#preparing);
      await this.idle();
    }
  }
}
