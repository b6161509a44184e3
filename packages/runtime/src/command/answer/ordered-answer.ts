import { Turns } from './turns.js';

/** Keeps the messages of an answer in their order, and knows whether all of them are sent. */
export class OrderedAnswer {
  content: string | undefined;
  isUnfinished = false;
  failure: { readonly error: unknown } | undefined;
  /** Lock that a message holds from its first attempt to its last. */
  protected readonly messages = new Turns();
  #preparing: Set<Promise<unknown>> | undefined;

  get isSettled(): boolean {
    return !this.messages.isTaken && !this.#preparing?.size;
  }

  async idle(): Promise<void> {
    if (!this.messages.isTaken) return;
    await this.messages.take();
    this.messages.pass();
  }

  prepare<T>(task: Promise<T>): Promise<T> {
    const preparing = (this.#preparing ??= new Set());
    preparing.add(task);
    const forget = (): void => void preparing.delete(task);
    // The caller handles the result.
    task.finally(forget).catch(() => {});
    return task;
  }

  async settled(): Promise<void> {
    while (!this.isSettled) {
      if (this.#preparing?.size) await Promise.allSettled(this.#preparing);
      await this.idle();
    }
  }
}
