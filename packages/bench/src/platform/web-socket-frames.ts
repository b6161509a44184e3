import { createHash } from 'node:crypto';

const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Returns the response to an upgrade request with this `Sec-WebSocket-Key`. */
export function upgradeAnswer(key: string): string {
  const accept = createHash('sha1').update(`${key}${ACCEPT_SUFFIX}`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`;
}

const OPCODES = { text: 1, close: 8, ping: 9, pong: 10 } as const;
export type FrameKind = keyof typeof OPCODES;

/** Returns a frame as a server sends it: not fragmented, not masked. */
export function encodeFrame(kind: FrameKind, payload: Buffer): Buffer {
  const { length } = payload;
  const lengthBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + lengthBytes + length);
  frame[0] = 0x80 | OPCODES[kind];
  frame[1] = lengthBytes === 0 ? length : lengthBytes === 2 ? 126 : 127;
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2);
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  payload.copy(frame, 2 + lengthBytes);
  return frame;
}

export const textFrame = (value: unknown): Buffer =>
  encodeFrame('text', Buffer.from(JSON.stringify(value)));

export interface ClientFrame {
  /** `undefined` for kinds that are ignored. */
  readonly kind: FrameKind | undefined;
  readonly payload: Buffer;
}

const KINDS = new Map<number, FrameKind>(
  Object.entries(OPCODES).map(([kind, opcode]) => [opcode, kind as FrameKind]),
);

/** Parses the frames of a client: not fragmented, masked, and short. */
export class ClientFrames {
  #rest: Buffer = Buffer.alloc(0);

  *take(chunk: Buffer): Generator<ClientFrame> {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const frame = firstFrame(bytes);
      if (!frame) break;
      bytes = bytes.subarray(frame.end);
      yield frame;
    }
    this.#rest = bytes;
  }
}

function firstFrame(bytes: Buffer): (ClientFrame & { readonly end: number }) | undefined {
  const [first, second] = bytes;
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  if (short === 127) throw new Error('The client sent a frame of more than 65,535 bytes.');
  const maskAt = short === 126 ? 4 : 2;
  if (bytes.length < maskAt) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const start = maskAt + 4;
  const end = start + length;
  if (bytes.length < end) return undefined;
  const payload = Buffer.from(bytes.subarray(start, end));
  for (let index = 0; index < length; index += 1) {
    // In bounds: the mask has four bytes before `start`, and `payload` has `length` bytes.
    payload[index] = payload[index]! ^ bytes[maskAt + (index & 3)]!;
  }
  return { kind: KINDS.get(first & 0x0f), payload, end };
}
