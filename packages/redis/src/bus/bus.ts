import type { Ready } from '@virgule/core/protocol';
import { asList, type Connection, type Reply } from '../connection/connection.js';
import { ENTRY_VERSION, idOf, placeOf, type Entry } from './entry.js';
import { createGroupCalls } from './group-calls.js';
import { GROUP, PARTITIONS, type Keys } from './keys.js';
import {
  APPEND,
  BEAT,
  DEFER,
  END,
  IDENTIFIED,
  LEASE,
  READ_AGAIN,
  REQUEUE,
  RECLAIM,
  RELEASE,
  UNLEASE,
} from './scripts.js';

/** How long a worker counts as running after a heartbeat, in milliseconds. */
const WORKER_LEASE_MS = 1_500;
/** A worker that missed a heartbeat may be gone, after this many milliseconds. */
const SUSPECT_MS = 700;
/** Lifetime of the ids that recognize an event that comes twice, in seconds. */
const SEEN_SECONDS = 900;
const TWIN_SECONDS = 10;
/**
 * How often an entry is run: the last time alone, so that it is the cause if its worker ends then. A delivery after that sets it
 * aside.
 */
export const MAX_DELIVERIES = 3;
/** How many entries a stream keeps, about: of commands, those that have not ended; of events, the latest. */
const MAX_COMMANDS = 100_000;
const MAX_EVENTS = 10_000;
/** How long a read waits for an entry, in milliseconds. */
const BLOCK_MS = 500;
const MAX_CLAIMED = 100;

/** An entry as a worker gets it. */
export interface Delivery {
  /** Key of its stream. */
  readonly stream: string;
  /** The partition of an event. */
  readonly partition: number | 'commands';
  readonly id: string;
  readonly version: number;
  readonly body: string;
  /** How often it was delivered, with this time, except for deliveries that were passed on. */
  readonly deliveries: number;
  /**
   * How far workers that are gone had come with it: a first answer may be there, follow-ups were begun, or also the text about
   * the interruption; `undefined` if none had begun it.
   */
  readonly progress?: Progress | undefined;
}

type Progress = 'answer' | 'follow-up' | 'interruption';

const PROGRESS: readonly Progress[] = ['answer', 'follow-up', 'interruption'];

export interface Beat {
  /** Time of Redis, in milliseconds. */
  readonly nowMs: number;
  /** How many partitions it should own. */
  readonly share: number;
  /** The partitions that this worker owns. */
  readonly partitions: readonly number[];
  /** Whether the lease was not renewed in time: leases of others may be late for the same reason. */
  readonly isLate: boolean;
}

export type Bus = ReturnType<typeof createBus>;

/** The commands of Redis that gateways and workers use, as functions. `holder` names this process. */
export function createBus(connection: Connection, keys: Keys, holder: string) {
  const { prefix, commands, events, workers, owners, draining, dead } = keys;
  const numberKey = `${prefix}from:${holder}`;

  const streamOf = (place: Delivery['partition']): string =>
    place === 'commands' ? commands : (events[place] ?? '');
  const streamsOf = (from: 'commands' | readonly number[]): string[] =>
    from === 'commands' ? [commands] : from.map(streamOf);

  const deliveryOf = (stream: string, id: Reply | undefined, fields: Reply | undefined) => {
    // An entry that was trimmed has no fields.
    const [, version = ENTRY_VERSION, , body = '', , progress = -1, count = 1] = asList(fields);
    const partition: Delivery['partition'] =
      stream === commands ? 'commands' : events.indexOf(stream);
    return {
      stream,
      partition,
      id: String(id),
      version: Number(version),
      body: String(body),
      progress: PROGRESS[Number(progress)],
      deliveries: Number(count),
    };
  };

  /** Reads the reply of XREAD and XREADGROUP: nil, or pairs of a stream and its entries. */
  const readStreams = (reply: Reply): Delivery[] =>
    asList(reply).flatMap((pair) => {
      const [stream, entries] = asList(pair);
      return asList(entries).map((entry) => {
        const [id, fields] = asList(entry);
        return deliveryOf(String(stream), id, fields);
      });
    });

  return {
    ...createGroupCalls(connection, keys),

    /**
     * Appends entries, the first of which has this number. May be repeated with the same numbers. Returns how many
     * were new.
     */
    async append(number: number, entries: readonly Entry[]): Promise<number> {
      const of = entries.map((entry) => streamOf(placeOf(entry)));
      const args = entries.flatMap((entry, index) => [
        of[index] === commands ? MAX_COMMANDS : MAX_EVENTS,
        'status' in entry ? '' : (idOf(entry) ?? entry.twin ?? ''),
        't' in entry && entry.twin ? TWIN_SECONDS : SEEN_SECONDS,
        ENTRY_VERSION,
        JSON.stringify(entry),
      ]);
      return Number(await connection.run(APPEND, [numberKey, ...of], [prefix, number, ...args]));
    },

    /**
     * Renews the lease of this worker. `mayTake`: whether it may remove workers that are gone, and take over from them.
     * `isDraining`: whether it takes nothing new.
     */
    async beat(mayTake: boolean, isDraining = false): Promise<Beat> {
      const args = [holder, WORKER_LEASE_MS, PARTITIONS, mayTake ? 1 : 0, isDraining ? 1 : 0];
      const [micros, share, partitions, isLate] = asList(
        await connection.run(BEAT, [workers, owners, draining], args),
      );
      return {
        nowMs: Number(micros) / 1_000,
        share: Number(share),
        partitions: asList(partitions).map(Number),
        isLate: isLate === 1,
      };
    },

    /** Releases a partition, to be taken by another worker. */
    release: (partition: number): Promise<unknown> =>
      connection.run(RELEASE, [owners], [holder, partition]),

    /**
     * Claims commands, and events of these partitions, of workers that were removed: many, or one that runs alone if it
     * may. Returns as well whether one waits for that.
     */
    async reclaim(
      partitions: readonly number[],
      mayBeAlone: boolean,
    ): Promise<{ readonly claimed: readonly Delivery[]; readonly isAwaited: boolean }> {
      const of = [workers, draining, commands, ...streamsOf(partitions)];
      const limits = [MAX_DELIVERIES, MAX_CLAIMED, ENTRY_VERSION, prefix, mayBeAlone ? 1 : 0];
      const reply = await connection.run(RECLAIM, of, [GROUP, holder, ...limits]);
      const [isAwaited, ...streams] = asList(reply);
      return { claimed: readStreams(streams), isAwaited: isAwaited === 1 };
    },

    /** Reads new entries of the commands, or of partitions. Waits up to 0.5 s for one: on a connection of its own. */
    async read(
      reader: Connection,
      from: 'commands' | readonly number[],
      count: number,
    ): Promise<Delivery[]> {
      const of = streamsOf(from);
      const options = ['GROUP', GROUP, holder, 'COUNT', count, 'BLOCK', BLOCK_MS, 'STREAMS'];
      const reply = await reader.call('XREADGROUP', ...options, ...of, ...of.map(() => '>'));
      return readStreams(reply);
    },

    /** Reads entries again that this worker has and has not ended: a reply of `read` may have been lost. */
    async readAgain(reader: Connection, from: 'commands' | readonly number[]): Promise<Delivery[]> {
      const args = [GROUP, holder, 10 * MAX_CLAIMED, prefix];
      return readStreams(await reader.run(READ_AGAIN, streamsOf(from), args));
    },

    /** Reads events behind ids, of all workers: not for the group. */
    async tail(
      reader: Connection,
      after: ReadonlyMap<number, string>,
      blockMs: number,
    ): Promise<Delivery[]> {
      const of = streamsOf([...after.keys()]);
      const options = ['COUNT', MAX_CLAIMED, 'BLOCK', blockMs, 'STREAMS'];
      return readStreams(await reader.call('XREAD', ...options, ...of, ...after.values()));
    },

    /** Ends entries: what has ended may be ended again. */
    async acknowledge(
      ended: readonly Pick<Delivery, 'stream' | 'id' | 'deliveries'>[],
    ): Promise<void> {
      const end = (stream: string): Promise<unknown> => {
        const entries = ended.filter((entry) => entry.stream === stream);
        const args = entries.flatMap(({ id, deliveries }) => [
          id,
          deliveries > MAX_DELIVERIES ? deliveries - 1 : 0,
        ]);
        return connection.run(END, [stream, dead], [GROUP, stream === commands ? 1 : 0, ...args]);
      };
      await Promise.all([...new Set(ended.map(({ stream }) => stream))].map(end));
    },

    /** Passes an entry on to another worker that knows its version: this delivery does not count. */
    passOn({ stream, id, version, deliveries }: Delivery): Promise<unknown> {
      const claim = ['XCLAIM', stream, GROUP, `v${version}`, 0, id] as const;
      return connection.call(...claim, 'RETRYCOUNT', deliveries - 1, 'JUSTID');
    },

    /**
     * Returns whether this worker has had a command alone since it got it: `undefined` if that is unknown, such as after it
     * came back from another one, or after Redis lost its data.
     */
    async isOwn({ id, deliveries }: Delivery, interactionId: string): Promise<boolean | undefined> {
      const pending = await connection.call('XPENDING', commands, GROUP, id, id, 1);
      const [, owner, , count] = asList(asList(pending)[0]);
      if (owner === holder) return count === deliveries || undefined;
      if (owner !== undefined) return false;
      // It has ended.
      const isKnown = await connection.call('EXISTS', `${prefix}seen:${interactionId}`);
      return isKnown === 1 ? false : undefined;
    },

    /** Appends a command again, for any worker, this one included: one that knows it may be among them. */
    requeue: ({ id, version, body }: Delivery, interactionId: string): Promise<unknown> =>
      connection.run(
        REQUEUE,
        [commands, `${prefix}seen:${interactionId}`],
        [GROUP, id, version, body],
      ),

    /** Ends the lease of this worker: others claim what it has not ended. */
    leave: (): Promise<unknown> => connection.call('ZREM', workers, holder),

    /** Returns the state of a command. One that is late, because no worker runs it, is marked as deferred. */
    async markIfLate(interactionId: string): Promise<'late' | 'running' | 'ended'> {
      const marks = [`${prefix}seen:${interactionId}`, `${prefix}deferred:${interactionId}`];
      const state = await connection.run(DEFER, [workers, commands, ...marks], [GROUP, SUSPECT_MS]);
      return state === 'late' || state === 'running' ? state : 'ended';
    },

    /** Stores that a command sends follow-ups, or the text about an interruption: its handler does not run again then. */
    noteFollowUps: ({ id, progress }: Delivery): Promise<unknown> =>
      connection.call(
        'SET',
        `${prefix}followed:${id}`,
        progress === undefined || progress === 'answer' ? 1 : 2,
        'EX',
        SEEN_SECONDS,
      ),

    /** Returns whether a gateway marked an interaction as deferred. */
    isDeferred: async (interactionId: string): Promise<boolean> =>
      (await connection.call('EXISTS', `${prefix}deferred:${interactionId}`)) === 1,

    /**
     * Acquires or renews a lease of this process: `leader` of the gateway that connects, `alone` for what one process
     * does at a time. Returns the time of Redis, and whether it has the lease.
     */
    async acquire(
      lease: 'leader' | 'alone',
      leaseMs: number,
    ): Promise<{ readonly nowMs: number; readonly isHeld: boolean }> {
      const reply = await connection.run(LEASE, [keys[lease]], [holder, leaseMs]);
      const [micros, current] = asList(reply);
      return { nowMs: Number(micros) / 1_000, isHeld: current === holder };
    },
    unlease: (lease: 'leader' | 'alone'): Promise<unknown> =>
      connection.run(UNLEASE, [keys[lease]], [holder]),

    /** Stores READY for the workers. */
    storeReady: (ready: Ready): Promise<unknown> =>
      connection.call('SET', keys.ready, JSON.stringify(ready)),

    /** Returns READY of the gateway; `undefined` before it connected for the first time. */
    async readReady(): Promise<Ready | undefined> {
      const ready = await connection.call('GET', keys.ready);
      // As a gateway stored it.
      return typeof ready === 'string' ? (JSON.parse(ready) as Ready) : undefined;
    },

    /**
     * Adds times when this gateway identified, in milliseconds by the clock of Redis: those it has are not added again.
     * Returns the times of all gateways in the last day.
     */
    async identified(atMs: readonly number[]): Promise<readonly number[]> {
      return asList(await connection.run(IDENTIFIED, [keys.identified], atMs)).map(Number);
    },

    /** Stores that a gateway is connected, and returns when one was before; both by the clock of Redis. */
    async storeConnected(nowMs: number): Promise<number | undefined> {
      const before = await connection.call('SET', keys.connected, Math.floor(nowMs), 'GET');
      return before === null ? undefined : Number(before);
    },
  };
}
