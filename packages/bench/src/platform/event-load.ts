import { once } from 'node:events';
import type { Socket } from 'node:net';
import { idOf } from './ids.js';
import { messageCreate } from './sample-data.js';
import { textFrame } from './web-socket-frames.js';

/** Events that leave in one write; about 45 kB. */
const BATCH = 64;

/**
 * Sends MESSAGE_CREATE as fast as they are taken, each with an id of its own from `firstIndex` on.
 * `count` is a multiple of 64, rounded up.
 */
export async function sendEvents(
  socket: Socket,
  { count, firstIndex }: { readonly count: number; readonly firstIndex: number },
): Promise<number> {
  const frames = Array.from({ length: BATCH }, (_value, index) => textFrame(messageCreate(index)));
  const batch = Buffer.concat(frames);
  const idsAt = frames.map((_frame, index) => batch.indexOf(idOf(index)));
  const batches = Math.ceil(count / BATCH);
  for (let sent = 0; sent < batches; sent += 1) {
    // A copy: the one before may still be on its way.
    const copy = Buffer.from(batch);
    for (const [index, at] of idsAt.entries()) {
      copy.write(idOf(firstIndex + sent * BATCH + index), at, 'latin1');
    }
    if (!socket.write(copy)) await once(socket, 'drain');
  }
  return batches * BATCH;
}
