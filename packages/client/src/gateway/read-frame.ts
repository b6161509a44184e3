import { isObject } from '@virgule/core/objects';
import { isUtf8 } from 'node:buffer';
import type { Frame } from '@virgule/core/protocol';
import type { SocketData } from './socket-port.js';

/** A smaller frame has no room to be nested too deep. In bytes. */
const LARGE_BYTES = 4 * 1024;

const MAX_DEPTH = 1_000;

/** A frame that is none. */
export type Unreadable = 'binary' | 'malformed';

/**
 * Reads one frame. Written by hand and not with a schema: it runs for every event, and it has to
 * make sure of three things only.
 */
export function readFrame(data: SocketData, isBinary: boolean): Frame | Unreadable {
  if (isBinary) return 'binary';
  const bytes = bytesOf(data);
  // The socket leaves this to us: it would end the connection over one bad character.
  if (!isUtf8(bytes)) return 'malformed';
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return 'malformed';
  }
  if (!isObject(value)) return 'malformed';
  const { op, t, d } = value as { readonly [Key in keyof Frame]?: unknown };
  if (typeof op !== 'string') return 'malformed';
  if (bytes.length > LARGE_BYTES && isDeep(d)) return 'malformed';
  if (op !== 'DISPATCH') return { op, d };
  return typeof t === 'string' ? { op, d, t } : 'malformed';
}

function bytesOf(data: SocketData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  if (data instanceof Uint8Array) {
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }
  return Buffer.concat(data);
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
