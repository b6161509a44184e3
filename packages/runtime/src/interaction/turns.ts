/** A lock that is handed over in the order in which it was asked for. */
export class Turns {
  #isTaken = false;
  /** Made for the few that have to wait. */
  #waiting: (() => void)[] | undefined;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Takes the lock. Returns nothing when it was free, else a promise that resolves when it is the caller's. */
  take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => void (this.#waiting ??= []).push(resolve));
    this.#isTaken = true;
    return undefined;
  }

  /** Hands the lock to the next one; a caller that comes now does not get in between. */
  pass(): void {
    const next = this.#waiting?.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}
