import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Dialect } from './dialect.js';
import { textFrame } from './web-socket-frames.js';

export interface EventLoadOptions {
  /** Rounded up to a multiple of 64. */
  readonly count: number;
  /** Number of the first message; the others follow. */
  readonly firstIndex: number;
  readonly dialect: Dialect;
}

/** Number of events per write; about 45 kB. */
const BATCH = 64;

/** Sends MESSAGE_CREATE events with unique ids as fast as the socket accepts them. Resolves with their number. */
export async function sendEvents(
  socket: Socket,
  { count, firstIndex, dialect }: EventLoadOptions,
): Promise<number> {
  const { idOf } = dialect;
  const frames = Array.from({ length: BATCH }, (_value, index) =>
    textFrame(dialect.message(firstIndex + index)),
  );
  const batch = Buffer.concat(frames);
  const idsAt = frames.map((_frame, index) => batch.indexOf(idOf(firstIndex + index)));
  const batches = Math.ceil(count / BATCH);
  for (let sent = 0; sent < batches; sent += 1) {
    // A copy, because the previous batch may still be in the write buffer.
    const copy = Buffer.from(batch);
    for (const [index, at] of idsAt.entries()) {
      copy.write(idOf(firstIndex + sent * BATCH + index), at, 'latin1');
    }
    if (!socket.write(copy)) await once(socket, 'drain');
  }
  return batches * BATCH;
}
