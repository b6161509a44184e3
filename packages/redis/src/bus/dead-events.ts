import { recordIn } from '@virgule/core/objects';
import type { DeadEvent } from '@virgule/runtime/bot';
import { asList, valueOf, type Connection, type Reply } from '../connection/connection.js';
import { readEntry } from './entry.js';
import { GROUP, type Keys } from './keys.js';
import { REQUEUE } from './scripts.js';

/** Returns the oldest events that were set aside, up to `limit`. `maxAgeMs`: age after which a command cannot be answered. */
export async function readDeadEvents(
  connection: Connection,
  { dead, prefix }: Keys,
  maxAgeMs: number,
  limit: number,
): Promise<readonly DeadEvent[]> {
  /** Reads a dead entry as the script `END` writes it: an id and a list of fields. */
  function readDead(reply: Reply): DeadEvent {
    const [first, list] = asList(reply);
    const id = String(first);
    const fields = asList(list);
    const text = (name: string): string => String(valueOf(fields, name) ?? '');
    const body = text('e');
    const entry = readEntry(body);
    const event = entry && 't' in entry ? entry : undefined;
    return {
      id,
      at: new Date(Number(text('at'))).toISOString(),
      event: event && { t: event.t, d: event.d },
      deliveries: Number(text('deliveries')),
      async retry() {
        const [seconds] = asList(await connection.call('TIME'));
        const answerableMs = event?.t === 'APPLICATION_COMMAND' ? event.atMs + maxAgeMs : Infinity;
        if (Number(seconds) * 1_000 > answerableMs) return 'too-old';
        // The user of a command may already have an answer.
        const again = JSON.stringify({ ...recordIn(body), isAgain: true });
        // No gateway waits for the entry, so that no mark leads to it.
        const places = [dead, text('stream'), `${prefix}seen:`];
        const found = await connection.run(REQUEUE, places, [GROUP, id, text('v'), again]);
        return found === 1 ? id : undefined;
      },
      drop: async () => (await connection.call('XDEL', dead, id)) === 1,
    };
  }
  return asList(await connection.call('XRANGE', dead, '-', '+', 'COUNT', limit)).map(readDead);
}
