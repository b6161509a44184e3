/** State of a stream. `buffering`: the source is slower than the playback. */
export type StreamState =
  | 'connecting'
  | 'buffering'
  | 'playing'
  | 'paused'
  | 'reconnecting'
  | 'closed';

/** Event of a stream. */
export type StreamEvent =
  | { readonly type: 'state'; readonly state: StreamState }
  /** A source begins to play. */
  | { readonly type: 'track'; readonly name: string }
  /** A source cannot be played; the next one follows. */
  | { readonly type: 'source-error'; readonly name: string; readonly error: unknown };

/** Maximum number of waiting events of a reader, which may read slowly or not at all. */
const MAX_EVENTS = 100;

/** Events of a stream for any number of readers. */
export class StreamEvents {
  readonly #listeners = new Set<(event: StreamEvent | undefined) => void>();
  #hasEnded = false;

  emit(event: StreamEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  end(): void {
    this.#hasEnded = true;
    for (const listener of this.#listeners) listener(undefined);
  }

  /** Returns the events from now on. A slow reader loses the oldest ones. */
  async *read(): AsyncGenerator<StreamEvent> {
    const events: StreamEvent[] = [];
    let wake = (): void => {};
    const listener = (event: StreamEvent | undefined): void => {
      if (event) events.push(event);
      if (events.length > MAX_EVENTS) events.shift();
      wake();
    };
    this.#listeners.add(listener);
    try {
      for (;;) {
        const event = events.shift();
        if (event) yield event;
        else if (this.#hasEnded) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}
