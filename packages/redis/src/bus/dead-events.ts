import { recordIn } from '@virgule/core/objects';
import type { DeadEvents } from '@virgule/runtime/project';
import { asList, valueOf, type Connection, type Reply } from '../connection/connection.js';
import { placeOf, readEntry } from './entry.js';
import type { Keys } from './keys.js';
import { NOW } from './scripts.js';

/**
 * Delivers a dead entry again. KEYS: dead, stream of the entry. ARGV: id, version, body, time in ms until which it can
 * be answered, or ''. Returns 'too-old', 1 for a delivered entry, or 0 for an unknown id.
 */
const REPLAY = `${NOW}
if ARGV[4] ~= '' and now > tonumber(ARGV[4]) then return 'too-old' end
if redis.call('XDEL', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', 'v', ARGV[2], 'e', ARGV[3])
return 1
`;

const ID = /^\d+-\d+$/;

export function createDeadEvents(
  connection: Connection,
  { dead }: Keys,
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
      const untilMs = receivedAtMs === undefined ? '' : receivedAtMs + maxAgeMs;
      // The user of a command may already have an answer.
      const again = JSON.stringify({ ...recordIn(body), isAgain: true });
      const args = [id, version, again, untilMs];
      const result = await connection.run(REPLAY, [dead, stream], args);
      return result === 'too-old' ? result : result === 1;
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
