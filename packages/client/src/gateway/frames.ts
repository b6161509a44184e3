// The global `Buffer` is a getter, which costs 2 % of an event.
import { Buffer, isUtf8 } from 'node:buffer';
import type { Log } from '@virgule/core/log';
import { isObject, orUndefined } from '@virgule/core/objects';
import { EVENTS, type Frame } from '@virgule/core/protocol';
import { redact } from '../request/token.js';
import type { SocketData } from './socket-port.js';

/** Size in bytes up to which a frame cannot be nested too deep. */
const LARGE_BYTES = 4 * 1024;

const MAX_DEPTH = 1_000;

/** A known event, which the next frame probably contains. */
interface ExpectedEvent {
  readonly name: string;
  /** Beginning of its frames, up to the payload, if the platform writes `op`, `t` and `d` in this order, without spaces. */
  head: string | undefined;
}

const headOf = (name: string): string => `{"op":"DISPATCH","t":"${name}","d":`;

/**
 * Returns the frame in a message, or the kind of an invalid frame. Runs for every event, so it uses no schema.
 *
 * @param expected - the event that the message probably contains.
 */
export function readFrame(
  data: SocketData,
  isBinary: boolean,
  expected?: ExpectedEvent,
): Frame | 'binary' | 'malformed' {
  if (isBinary) return 'binary';
  const bytes = bytesOf(data);
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = (expected && eventIn(text, expected)) ?? JSON.parse(text);
  } catch {
    return 'malformed';
  }
  if (!isObject(value)) return 'malformed';
  const { op, t, d } = value as { readonly [Key in keyof Frame]?: unknown };
  if (typeof op !== 'string') return 'malformed';
  if (bytes.length > LARGE_BYTES && isDeep(d)) return 'malformed';
  if (op !== 'DISPATCH') return { op, d };
  // Most frames are events, so the parsed value is returned without a copy.
  return typeof t === 'string' ? (value as Frame) : 'malformed';
}

/**
 * Parses only the payload of an event, which takes 0.9 of the time for the frame. Returns `undefined` if the frame does not
 * begin with the head, or if more than the payload follows: a failure takes several times as long, so the next is not tried.
 */
function eventIn(text: string, expected: ExpectedEvent): Frame | undefined {
  const { name: t, head } = expected;
  // V8 makes a slow loop of `startsWith`, and a call of C++ of `endsWith`.
  if (!head || text.lastIndexOf(head, 0) !== 0 || text[text.length - 1] !== '}') return undefined;
  const d: unknown = orUndefined(() => JSON.parse(text.slice(head.length, -1)));
  if (d !== undefined) return { op: 'DISPATCH', t, d };
  expected.head = undefined;
  return undefined;
}

/** Decodes a frame. Returns an empty string, which is invalid JSON, for invalid UTF-8. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString();
  // The decoder replaces invalid UTF-8 by this character, which most frames do not contain.
  return text.includes('\uFFFD') && !isUtf8(bytes) ? '' : text;
}

function bytesOf(data: SocketData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  // The data is an ArrayBuffer here: `Array.isArray` does not exclude readonly arrays from the type.
  return Buffer.concat(Array.isArray(data) ? data : [new Uint8Array(data as ArrayBuffer)]);
}

/** Returns true if a payload is nested so deep that a recursive walk would exhaust the stack. */
function isDeep(payload: unknown): boolean {
  let level = [payload];
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    level = level.flatMap((value) => (isObject(value) ? Object.values(value) : []));
    if (level.length === 0) return false;
  }
  return true;
}

const NO_FRAMES = {
  /** Binary frames; dropped. */
  binary: 0,
  /** Invalid UTF-8 or JSON, no object, no `op`, DISPATCH without `t`, or nested deeper than 1,000; dropped. */
  malformed: 0,
  /** Frames above 16 MiB, which end the connection. */
  oversized: 0,
  /** Frames with an unknown `op`; dropped. */
  unknownOp: 0,
  /** DISPATCH before READY; dropped. */
  early: 0,
  /** HELLO or READY at the wrong time, or an ACK without a heartbeat; dropped. */
  unexpected: 0,
  /** Events with an unknown name; passed on. */
  unknownEvent: 0,
};

/** Counts of invalid and unexpected frames, since the creation of the gateway. */
export interface FrameCounts extends Readonly<typeof NO_FRAMES> {}

/** Counts unexpected frames, and logs only the first frame of each kind. */
export class FrameCounter {
  readonly counts = { ...NO_FRAMES };
  readonly #log: Log;
  readonly #token: string;
  /** Known events by their names. In a plain object, V8 would have to intern each parsed name for the lookup. */
  readonly #known: ReadonlyMap<string, ExpectedEvent> = new Map(
    Object.keys(EVENTS).map((name) => [name, { name, head: headOf(name) }]),
  );
  /** Last known event. Most events have the name of the one before. */
  lastKnown: ExpectedEvent | undefined;

  constructor({ log, token }: { readonly log: Log; readonly token: string }) {
    this.#log = log;
    this.#token = token;
  }

  /** Counts a frame; `name` is its `op` or `t`, if present. */
  count(kind: keyof FrameCounts, name?: string): void {
    this.counts[kind] += 1;
    if (this.counts[kind] > 1) return;
    const message = 'received an invalid frame; further frames of this kind are only counted';
    const shown = name === undefined ? undefined : redact(name, this.#token).slice(0, 100);
    this.#log.warn({ kind, name: shown }, message);
  }

  /** Counts an event with an unknown name. Returns known names always as the same string, which is cheaper to look up. */
  countEvent(name: string): string {
    if (name === this.lastKnown?.name) return this.lastKnown.name;
    const known = this.#known.get(name);
    if (!known) this.count('unknownEvent', name);
    this.lastKnown = known ?? this.lastKnown;
    return known?.name ?? name;
  }
}
