import { recordIn } from '@virgule/core/objects';
import type { DeadEvents } from '@virgule/runtime/project';
import { asList, valueOf, type Connection, type Reply } from '../connection/connection.js';
import { placeOf, readEntry } from './entry.js';
import { GROUP, type Keys } from './keys.js';
import { REQUEUE } from './scripts.js';

const ID = /^\d+-\d+$/;

export function createDeadEvents(
  connection: Connection,
  { dead, prefix }: Keys,
  maxAgeMs: number,
): DeadEvents {
  const read = async (from: string, to: string, limit: number) =>
    asList(await connection.call('XRANGE', dead, from, to, 'COUNT', limit)).map(readDead);
  return {
    async list(limit) {
      return (await read('-', '+', limit)).map(({ event }) => event);
    },
    async replay(id) {
      const [entry] = ID.test(id) ? await read(id, id, 1) : [];
      if (!entry) return false;
      const { stream, version, body, receivedAtMs } = entry;
      const [seconds] = asList(await connection.call('TIME'));
      if (Number(seconds) * 1_000 > (receivedAtMs ?? Infinity) + maxAgeMs) return 'too-old';
      // The user of a command may already have an answer.
      const again = JSON.stringify({ ...recordIn(body), isAgain: true });
      // No gateway waits for the entry, so that no mark leads to it.
      const places = [dead, stream, `${prefix}seen:`];
      return (await connection.run(REQUEUE, places, [GROUP, id, version, again])) === 1;
    },
    async drop(id) {
      return ID.test(id) && (await connection.call('XDEL', dead, id)) === 1;
    },
  };
}

/** Reads a dead entry as the script `END` writes it: an id and a list of fields. */
function readDead(reply: Reply) {
  const [id, list] = asList(reply);
  const fields = asList(list);
  const text = (name: string): string => String(valueOf(fields, name) ?? '');
  const body = text('e');
  const entry = readEntry(body);
  return {
    stream: text('stream'),
    version: text('v'),
    body,
    /** Time when a command was received, in milliseconds by the clock of Redis; `undefined` for other events. */
    receivedAtMs: entry && placeOf(entry) === 'commands' && 't' in entry ? entry.atMs : undefined,
    event: {
      id: String(id),
      at: new Date(Number(text('at'))).toISOString(),
      event: entry && 't' in entry ? { t: entry.t, d: entry.d } : undefined,
      deliveries: Number(text('deliveries')),
    },
  };
}
