/** A lock that is passed on in the order of the requests. */
export class Turns {
  /** `true` while a caller has the lock. */
  isTaken = false;
  /** Callers that wait for the lock. Created for the first of them. */
  #waiting: (() => void)[] | undefined;

  /** Takes the lock. Returns nothing if the lock was free, else a promise that resolves when the caller has the lock. */
  take(): Promise<void> | undefined {
    if (this.isTaken) return new Promise((resolve) => void (this.#waiting ??= []).push(resolve));
    this.isTaken = true;
    return undefined;
  }

  /** Passes the lock to the next caller in the queue; no new caller can take the lock in between. */
  pass(): void {
    const next = this.#waiting?.shift();
    if (next) next();
    else this.isTaken = false;
  }
}

/** The lock of the messages of an answer, some of which are still being prepared. */
export class MessageTurns extends Turns {
  #preparing: Set<Promise<unknown>> | undefined;

  /** Returns whether no message is being prepared, is waiting, or is in flight. */
  get isSettled(): boolean {
    return !this.isTaken && !this.#preparing?.size;
  }

  /** Resolves when every message so far is sent or abandoned. Never rejects. */
  async idle(): Promise<void> {
    if (!this.isTaken) return;
    await this.take();
    this.pass();
  }

  /** Makes `settled` wait for a message that is being prepared, such as during the upload of its files. */
  prepare<T>(task: Promise<T>): Promise<T> {
    const preparing = (this.#preparing ??= new Set());
    preparing.add(task);
    // The caller handles the result.
    task.finally(() => preparing.delete(task)).catch(() => {});
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
