import type { GatewayGap, GatewayStatus } from '@virgule/client/gateway';
import { isRecord } from '@virgule/core/objects';
import { partitionOf } from './keys.js';

/** Version of the body of an entry. A worker leaves a newer one to workers that know it. */
export const ENTRY_VERSION = 1;

/** An event of the platform. */
export interface EventEntry {
  readonly t: string;
  readonly d: unknown;
  /** When the gateway received it, in milliseconds by the clock of Redis. */
  readonly atMs: number;
  readonly recovered?: true | undefined;
  /** Recognizes an event without an id that another gateway appends as well. */
  readonly twin?: string | undefined;
  /** The trace of the gateway, as headers. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Set when it was set aside and is replayed: it was begun before. */
  readonly isAgain?: true | undefined;
  /** Set when the gateway deferred a command before it could append it. */
  isDeferred?: true | undefined;
}

/** A change of the connection that one worker reports to the handlers of the bot. */
interface StatusEntry {
  readonly status:
    | Extract<GatewayStatus, { state: 'ready' | 'reconnecting' }>
    | ({ state: 'gap' } & GatewayGap);
}

export type Entry = EventEntry | StatusEntry;

/** Where an entry is appended: to the commands, or to a partition of the events. */
export function placeOf(entry: Entry): 'commands' | number {
  if ('status' in entry) return 0;
  return entry.t === 'APPLICATION_COMMAND' ? 'commands' : partitionOf(entry.d);
}

/** Returns the id of an event that has one; `undefined` for others. */
export function idOf({ t, d }: Pick<EventEntry, 't' | 'd'>): string | undefined {
  if (!isRecord(d)) return undefined;
  const id =
    t === 'APPLICATION_COMMAND' ? d['interactionId'] : t === 'MESSAGE_CREATE' ? d['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Compares two ids that Redis gave entries: a time and a number. */
export function isLater(id: string, other: string): boolean {
  const [time = 0, number = 0] = id.split('-').map(Number);
  const [otherTime = 0, otherNumber = 0] = other.split('-').map(Number);
  return time > otherTime || (time === otherTime && number > otherNumber);
}

/** Returns the object of a JSON text; `undefined` if it is none. */
export function readRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the entry of a body; `undefined` if it is none. */
export function readEntry(body: string): Entry | undefined {
  const entry = readRecord(body);
  if (!entry) return undefined;
  const isEvent = typeof entry['t'] === 'string' && typeof entry['atMs'] === 'number';
  // What gateways of this version write has one of these forms.
  return isEvent || isRecord(entry['status']) ? (entry as unknown as Entry) : undefined;
}
