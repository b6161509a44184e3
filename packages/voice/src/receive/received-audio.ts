import { createHash } from 'node:crypto';

/** Counts and hashes the packets of a connection. */
export class ReceivedPackets {
  readonly isStereo: boolean;
  readonly #hash = createHash('sha256');
  #packets = 0;
  #first = 0;
  #span = 0;
  #listener = (_payload: Uint8Array): void => {};

  constructor(offer: string) {
    this.isStereo = /^a=fmtp:.*\bsprop-stereo=1/m.test(offer);
  }

  listen(listener: (payload: Uint8Array) => void): void {
    this.#listener = listener;
  }

  add(sequenceNumber: number, payload: Uint8Array): void {
    if (this.#packets === 0) this.#first = sequenceNumber;
    this.#packets += 1;
    // Numbers begin again after 65,535.
    const step = (sequenceNumber - this.#first - this.#span + 131_072) % 65_536;
    if (step < 32_768) this.#span += step;
    this.#listener(payload);
    if (payload.length > SILENCE_BYTES) this.#hash.update(payload);
  }

  get packets(): number {
    return this.#packets;
  }

  /** Packets that are missing between the first and the last one. */
  get lost(): number {
    return this.#packets === 0 ? 0 : this.#span + 1 - this.#packets;
  }

  /** Hexadecimal SHA-256 of all payloads that are not silence. */
  get audioHash(): string {
    return this.#hash.copy().digest('hex');
  }
}

const SILENCE_BYTES = 3;
