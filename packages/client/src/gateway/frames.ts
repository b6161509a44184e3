import { isUtf8 } from 'node:buffer';
import type { Log } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';
import { EVENTS, type Frame } from '@virgule/core/protocol';
import { redact } from '../request/token.js';
import type { SocketData } from './socket-port.js';

/** A smaller frame has no room to be nested too deep. In bytes. */
const LARGE_BYTES = 4 * 1024;

const MAX_DEPTH = 1_000;

/**
 * Reads one frame, or says why it is none. Written by hand and not with a schema: it runs for every event, and it has to
 * make sure of three things only.
 */
export function readFrame(data: SocketData, isBinary: boolean): Frame | 'binary' | 'malformed' {
  if (isBinary) return 'binary';
  const bytes = bytesOf(data);
  let value: unknown;
  try {
    value = JSON.parse(textOf(bytes));
  } catch {
    return 'malformed';
  }
  if (!isObject(value)) return 'malformed';
  const { op, t, d } = value as { readonly [Key in keyof Frame]?: unknown };
  if (typeof op !== 'string') return 'malformed';
  if (bytes.length > LARGE_BYTES && isDeep(d)) return 'malformed';
  if (op !== 'DISPATCH') return { op, d };
  // Most frames are events: what was parsed is the frame, and no copy of it.
  return typeof t === 'string' ? (value as Frame) : 'malformed';
}

/** Decodes a frame. Returns an empty string, which is no JSON, if it is not UTF-8: the socket would end the connection over one bad character. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  // Decoding leaves this character in the place of what is not UTF-8; most frames do not have it.
  return text.includes('\uFFFD') && !isUtf8(bytes) ? '' : text;
}

function bytesOf(data: SocketData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  // No array is left: the check does not exclude one that is readonly.
  return Buffer.concat(Array.isArray(data) ? data : [new Uint8Array(data as ArrayBuffer)]);
}

/** Returns whether a payload is nested so deep that walking it would exhaust the stack. */
function isDeep(payload: unknown): boolean {
  let level = [payload];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}

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

/** By themselves. A Map, since looking a name up among the keys of an object would make it a key first. */
const KNOWN: ReadonlyMap<string, string> = new Map(Object.keys(EVENTS).map((name) => [name, name]));

/** Counts unexpected frames, and logs the first of each kind: a line for each would be a flood. */
export class FrameCounter {
  readonly counts: Record<keyof FrameCounts, number> = {
    binary: 0,
    malformed: 0,
    oversized: 0,
    unknownOp: 0,
    early: 0,
    unexpected: 0,
    unknownEvent: 0,
  };
  readonly #log: Log;
  readonly #token: string;
  #lastKnown: string | undefined;

  constructor({ log, token }: { readonly log: Log; readonly token: string }) {
    this.#log = log;
    this.#token = token;
  }

  /** `name` is the `op` or `t` of the frame, when it has one. */
  count(kind: keyof FrameCounts, name?: string): void {
    this.counts[kind] += 1;
    if (this.counts[kind] > 1) return;
    const message = 'received an invalid frame; further ones of this kind are only counted';
    const shown = name === undefined ? undefined : redact(name, this.#token).slice(0, 100);
    this.#log.warn({ kind, name: shown }, message);
  }

  /**
   * Counts an event whose name this version does not know. Returns the name: the same string for all events of a
   * kind, since comparing and looking up that one costs less than a string that was just parsed.
   */
  countEvent(name: string): string {
    // Most events are of the kind of the one before; comparing costs less than looking up.
    if (name === this.#lastKnown) return this.#lastKnown;
    const known = KNOWN.get(name);
    if (known === undefined) this.count('unknownEvent', name);
    else this.#lastKnown = known;
    return known ?? name;
  }
}
