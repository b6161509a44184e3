import { EVENTS } from '@virgule/core/protocol';
import type { Log } from '@virgule/core/log';

/** Frames out of the ordinary, counted since the gateway was made. */
export interface FrameCounts {
  /** Binary frames; dropped. */
  readonly binary: number;
  /** No UTF-8, no JSON, no object, no `op`, DISPATCH without `t`, or nested deeper than 1,000; dropped. */
  readonly malformed: number;
  /** Larger than 16 MiB: too large to be read to its end, so it costs the connection. */
  readonly oversized: number;
  /** An `op` this version does not know; dropped. */
  readonly unknownOp: number;
  /** DISPATCH before READY; dropped. */
  readonly early: number;
  /** HELLO or READY that was not due, or an ACK without a heartbeat; dropped. */
  readonly unexpected: number;
  /** Events this version does not know by name; passed on. */
  readonly unknownEvent: number;
}

export type OddFrame = keyof FrameCounts;

/** A Set, since looking a name up among the keys of an object would make it a key first. */
const KNOWN: ReadonlySet<string> = new Set(Object.keys(EVENTS));

/** Counts unexpected frames, and logs the first of each kind: a line for each would be a flood. */
export class FrameCounter {
  readonly #log: Log;
  readonly #counts: Record<OddFrame, number> = {
    binary: 0,
    malformed: 0,
    oversized: 0,
    unknownOp: 0,
    early: 0,
    unexpected: 0,
    unknownEvent: 0,
  };

  /** The known event that came last. */
  #lastKnown: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  get counts(): FrameCounts {
    return { ...this.#counts };
  }

  /** `name` is the `op` or `t` of the frame, when it has one. */
  count(kind: OddFrame, name?: string): void {
    this.#counts[kind] += 1;
    if (this.#counts[kind] > 1) return;
    const details = { kind, name: name?.slice(0, 100) };
    this.#log.warn(
      details,
      'received an invalid frame; further ones of this kind are only counted',
    );
  }

  /** Counts an event whose name this version does not know. */
  countEvent(name: string): void {
    // Most events are of the kind of the one before; comparing costs less than looking up.
    if (name === this.#lastKnown) return;
    if (KNOWN.has(name)) this.#lastKnown = name;
    else this.count('unknownEvent', name);
  }
}
