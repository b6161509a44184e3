interface Group {
  left: number;
  readonly onEnd: () => void;
}

function leave(group: Group): void {
  group.left -= 1;
  if (group.left === 0) group.onEnd();
}

/** Counts running handlers and the calls in flight. `idle` resolves when both counts are 0. */
export class Activity {
  /** Number of running handlers. */
  count = 0;
  /** Number of calls in flight, also calls that no handler awaits. */
  #calls = 0;
  #onIdle: (() => void)[] = [];
  /** Group that counts everything that is started now. */
  #group: Group | undefined;
  /** Function that ends a run without a group. All runs share it: a closure per run is one more object to collect. */
  readonly #done = (): void => this.abandon();

  /** Counts a run until the returned function is called. */
  begin(): () => void {
    this.count += 1;
    const group = this.#group;
    if (!group) return this.#done;
    group.left += 1;
    return () => {
      this.abandon();
      leave(group);
    };
  }

  /** Ends a run whose group never ends: a queue delivers the events of the group again. */
  abandon(): void {
    this.count -= 1;
    this.#settle();
  }

  /** Makes `idle` wait until a call settles. `count` does not include the call. */
  hold<T>(call: Promise<T>): Promise<T> {
    this.#calls += 1;
    const group = this.#group;
    if (group) group.left += 1;
    const end = (): void => {
      this.#calls -= 1;
      this.#settle();
      if (group) leave(group);
    };
    call.then(end, end);
    return call;
  }

  get #isIdle(): boolean {
    return this.count === 0 && this.#calls === 0;
  }

  #settle(): void {
    if (!this.#isIdle) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }

  track(run: Promise<unknown>): void {
    void run.then(this.begin());
  }

  /** Calls `start`, and calls `onEnd` when every run and call that `start` counted has ended. */
  group(start: () => void, onEnd: () => void): void {
    this.#within({ left: 1, onEnd }, start);
  }

  /** Binds a task that is called later to the current group. The group does not end before the task was called. */
  bind(task: () => void): () => void {
    const group = this.#group;
    if (!group) return task;
    group.left += 1;
    return () => this.#within(group, task);
  }

  #within(group: Group, task: () => void): void {
    const outer = this.#group;
    this.#group = group;
    try {
      task();
    } finally {
      this.#group = outer;
      leave(group);
    }
  }

  /** Resolves when nothing runs and no call is in flight. */
  async idle(): Promise<void> {
    // A run that ends may have started another.
    while (!this.#isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }
}
