import type { GatewayStatus } from '@virgule/client/gateway';
import { isRecord, recordIn } from '@virgule/core/objects';
import { partitionOf } from './keys.js';

/** Version of the body of an entry. A worker passes entries of a newer version on to newer workers. */
export const ENTRY_VERSION = 1;

export interface EventEntry {
  readonly t: string;
  readonly d: unknown;
  /** Time when the gateway received the event, in milliseconds by the clock of Redis. */
  readonly atMs: number;
  readonly recovered?: true | undefined;
  /** Name of an event without an id. A second gateway uses the same name for the same event. */
  readonly twin?: string | undefined;
  /** Trace of the gateway, as headers. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Set for a replay of an entry that was set aside: a worker had begun the event before. */
  readonly isAgain?: true | undefined;
  /** Set when the gateway deferred a command before it could append it. */
  isDeferred?: true | undefined;
}

/** An event, or a change of the connection, which a single worker reports to the handlers of the bot. */
export type Entry =
  | EventEntry
  | { readonly status: Extract<GatewayStatus, { state: 'ready' | 'reconnecting' | 'gap' }> };

/** Returns the stream of an entry: `commands`, or a partition of the events. */
export function placeOf(entry: Entry): 'commands' | number {
  if ('status' in entry) return 0;
  return entry.t === 'APPLICATION_COMMAND' ? 'commands' : partitionOf(entry.d);
}

/** Returns the id of a command or a new message; `undefined` for other events. */
export function idOf({ t, d }: Pick<EventEntry, 't' | 'd'>): string | undefined {
  if (!isRecord(d)) return undefined;
  const id =
    t === 'APPLICATION_COMMAND' ? d['interactionId'] : t === 'MESSAGE_CREATE' ? d['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Returns true if the first id is later. An id of Redis is a time and a number: `1526919030474-55`. */
export const isLater = (id: string, other: string): boolean => numeric.compare(id, other) > 0;

const numeric = new Intl.Collator('en', { numeric: true });

/** Returns the entry in a body; `undefined` for an invalid body. */
export function readEntry(body: string): Entry | undefined {
  const entry = recordIn(body);
  if (!entry) return undefined;
  const isEvent = typeof entry['t'] === 'string' && typeof entry['atMs'] === 'number';
  // Gateways of this version write only these two forms.
  return isEvent || isRecord(entry['status']) ? (entry as unknown as Entry) : undefined;
}
