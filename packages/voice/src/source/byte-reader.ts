import { sourceError } from '../errors/voice-errors.js';

/** Reads an exact number of bytes at a time from chunks of any size. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);
  #hasEnded = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /**
   * Returns the next bytes; `undefined` at the end.
   *
   * @throws VirguleError `E_VOICE_SOURCE` if the source ends within them.
   */
  async read(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (let missing = length; ;) {
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      parts.push(part);
      if (missing === 0) return parts.length === 1 ? part : Buffer.concat(parts);
      if (await this.#fill()) continue;
      if (missing === length) return undefined;
      throw truncated();
    }
  }

  /** As `read`, where the source cannot end. */
  async need(length: number): Promise<Buffer> {
    const bytes = await this.read(length);
    if (!bytes) throw truncated();
    return bytes;
  }

  /** Skips bytes without storing them. */
  async skip(length: number): Promise<void> {
    for (let missing = length; missing > 0;) {
      const taken = Math.min(missing, this.#rest.length);
      this.#rest = this.#rest.subarray(taken);
      missing -= taken;
      if (missing > 0 && !(await this.#fill())) throw truncated();
    }
  }

  /** Ends the source. */
  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    await this.#chunks.return?.();
  }

  async #fill(): Promise<boolean> {
    while (!this.#hasEnded) {
      const { done, value } = await this.#chunks.next();
      if (done === true) this.#hasEnded = true;
      else if (!(value instanceof Uint8Array)) throw sourceError('a chunk of it is not binary');
      else if (value.length > 0) {
        this.#rest = Buffer.from(value.buffer, value.byteOffset, value.length);
        return true;
      }
    }
    return false;
  }
}

function truncated(): Error {
  return sourceError('it is truncated', 'Play a complete file.');
}
