import { Readable } from 'node:stream';

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
  readonly #readers = new Set<Readable>();
  #hasEnded = false;

  emit(event: StreamEvent): void {
    for (const reader of this.#readers) {
      if (reader.readableLength === MAX_EVENTS) reader.read();
      reader.push(event);
    }
  }

  end(): void {
    this.#hasEnded = true;
    for (const reader of this.#readers) reader.push(null);
  }

  /** Returns the events from now on. A slow reader loses the oldest ones. */
  async *read(): AsyncGenerator<StreamEvent> {
    const reader = new Readable({ objectMode: true, read() {} });
    if (this.#hasEnded) reader.push(null);
    this.#readers.add(reader);
    try {
      yield* reader as AsyncIterable<StreamEvent>;
    } finally {
      this.#readers.delete(reader);
    }
  }
}
