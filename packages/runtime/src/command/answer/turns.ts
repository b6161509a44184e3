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
