/** A lock that is passed on in the order of the requests. */
export class Turns {
  #isTaken = false;
  /** Created for the first one that has to wait. */
  #waiting: (() => void)[] | undefined;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Takes the lock. Returns nothing if it was free, else a promise that resolves when the caller has it. */
  take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => void (this.#waiting ??= []).push(resolve));
    this.#isTaken = true;
    return undefined;
  }

  /** Passes the lock to the next one in the queue, without a gap for others. */
  pass(): void {
    const next = this.#waiting?.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}
