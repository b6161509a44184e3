import type { Frame } from '@virgule/core/protocol';
import type { SocketData } from './socket-port.js';

/** A frame that is none. */
export type Unreadable = 'binary' | 'malformed';

/**
 * Reads one frame. Written by hand and not with a schema: it runs for every event, and it has to
 * make sure of three things only.
 */
export function readFrame(data: SocketData, isBinary: boolean): Frame | Unreadable {
  if (isBinary) return 'binary';
  let value: unknown;
  try {
    value = JSON.parse(textOf(data));
  } catch {
    return 'malformed';
  }
  if (typeof value !== 'object' || value === null) return 'malformed';
  const { op, t, d } = value as { readonly [Key in keyof Frame]?: unknown };
  if (typeof op !== 'string') return 'malformed';
  if (op !== 'DISPATCH') return { op, d };
  return typeof t === 'string' ? { op, d, t } : 'malformed';
}

function textOf(data: SocketData): string {
  if (data instanceof ArrayBuffer) return Buffer.from(data).toString('utf8');
  if (data instanceof Uint8Array) {
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('utf8');
  }
  return Buffer.concat(data).toString('utf8');
}
