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

/** Time that a worker counts as running after a heartbeat, in milliseconds. */
const WORKER_LEASE_MS = 1_500;
/** Time without a heartbeat after which a worker may be gone, in milliseconds. */
const SUSPECT_MS = 700;
/** Lifetime of the ids that recognize a repeated event, in seconds. */
const SEEN_SECONDS = 900;
const TWIN_SECONDS = 10;
/**
 * Number of times that an entry is run. The last run has its worker to itself: if the worker ends, the entry is the
 * cause. One more delivery sets the entry aside.
 */
export const MAX_DELIVERIES = 3;
/** Approximate number of unended commands that their stream keeps. */
const MAX_COMMANDS = 100_000;
/** Approximate number of latest events that each of their streams keeps. */
const MAX_EVENTS = 10_000;
/** Time that a read waits for an entry, in milliseconds. */
const BLOCK_MS = 500;
const MAX_CLAIMED = 100;

export interface Delivery {
  /** Key of its stream. */
  readonly stream: string;
  /** Partition of an event, or `commands` for a command. */
  readonly partition: number | 'commands';
  readonly id: string;
  readonly version: number;
  readonly body: string;
  /** Number of deliveries, this one included; deliveries that were passed on do not count. */
  readonly deliveries: number;
  /**
   * Progress of former workers: `answer` if a first answer may exist, `follow-up` if follow-ups were begun,
   * `interruption` if also the text about the interruption was; `undefined` if no worker had begun the entry.
   */
  readonly progress?: Progress | undefined;
}

type Progress = 'answer' | 'follow-up' | 'interruption';

const PROGRESS: readonly Progress[] = ['answer', 'follow-up', 'interruption'];

export type Bus = ReturnType<typeof createBus>;

/** Creates the functions through which gateways and workers use Redis. `holder` is the name of this process. */
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
     * Appends entries. `number` is the number of the first entry; a call with the same numbers can be repeated. Returns
     * the number of new entries.
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
     * Renews the lease of this worker. `mayTake` allows the worker to remove dead workers and take over their
     * partitions. `isDraining` marks a worker that takes nothing new.
     */
    async beat(mayTake: boolean, isDraining = false) {
      const args = [holder, WORKER_LEASE_MS, PARTITIONS, mayTake ? 1 : 0, isDraining ? 1 : 0];
      const reply = await connection.run(BEAT, [workers, owners, draining], args);
      const [micros, share, partitions, isLate] = asList(reply);
      return {
        /** Time of Redis, in milliseconds. */
        nowMs: Number(micros) / 1_000,
        /** Number of partitions that this worker should own. */
        share: Number(share),
        /** Partitions that this worker owns. */
        partitions: asList(partitions).map(Number),
        /** True for a late renewal: leases of other workers may be late for the same reason. */
        isLate: isLate === 1,
      };
    },

    release: (partition: number): Promise<unknown> =>
      connection.run(RELEASE, [owners], [holder, partition]),

    /**
     * Claims commands, and events of these partitions, of removed workers: up to 100 of each stream and worker,
     * or with `mayBeAlone` a single entry that has to run alone. `isAwaited` is true while such an entry waits.
     */
    async reclaim(partitions: readonly number[], mayBeAlone: boolean) {
      const of = [workers, draining, commands, ...streamsOf(partitions)];
      const limits = [MAX_DELIVERIES, MAX_CLAIMED, ENTRY_VERSION, prefix, mayBeAlone ? 1 : 0];
      const reply = await connection.run(RECLAIM, of, [GROUP, holder, ...limits]);
      const [isAwaited, ...streams] = asList(reply);
      return { claimed: readStreams(streams), isAwaited: isAwaited === 1 };
    },

    /** Reads new entries of the commands, or of partitions. Blocks its connection for up to 0.5 s. */
    async read(reader: Connection, from: 'commands' | readonly number[], count: number) {
      const of = streamsOf(from);
      const options = ['GROUP', GROUP, holder, 'COUNT', count, 'BLOCK', BLOCK_MS, 'STREAMS'];
      const reply = await reader.call('XREADGROUP', ...options, ...of, ...of.map(() => '>'));
      return readStreams(reply);
    },

    /** Reads the unended entries of this worker again, such as after a lost reply of `read`. */
    async readAgain(reader: Connection, from: 'commands' | readonly number[]): Promise<Delivery[]> {
      const args = [GROUP, holder, 10 * MAX_CLAIMED, prefix];
      return readStreams(await reader.run(READ_AGAIN, streamsOf(from), args));
    },

    /** Reads the events of all workers after the id of each partition, outside the consumer group. */
    async tail(reader: Connection, after: ReadonlyMap<number, string>, blockMs: number) {
      const of = streamsOf([...after.keys()]);
      const options = ['COUNT', MAX_CLAIMED, 'BLOCK', blockMs, 'STREAMS'];
      return readStreams(await reader.call('XREAD', ...options, ...of, ...after.values()));
    },

    /** Ends entries. Entries that have ended already are ignored. */
    async acknowledge(ended: readonly Pick<Delivery, 'stream' | 'id' | 'deliveries'>[]) {
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

    /** Passes an entry on to another worker that knows its version. This delivery does not count. */
    passOn({ stream, id, version, deliveries }: Delivery): Promise<unknown> {
      const claim = ['XCLAIM', stream, GROUP, `v${version}`, 0, id] as const;
      return connection.call(...claim, 'RETRYCOUNT', deliveries - 1, 'JUSTID');
    },

    /**
     * Returns true if no other worker had a command since its delivery to this worker; `undefined` if this is unknown,
     * such as after another worker returned the command, or after Redis lost its data.
     */
    async isOwn({ id, deliveries }: Delivery, interactionId: string): Promise<boolean | undefined> {
      const pending = await connection.call('XPENDING', commands, GROUP, id, id, 1);
      const [, owner, , count] = asList(asList(pending)[0]);
      if (owner === holder) return count === deliveries || undefined;
      if (owner !== undefined) return false;
      // The command has ended.
      const isKnown = await connection.call('EXISTS', `${prefix}seen:${interactionId}`);
      return isKnown === 1 ? false : undefined;
    },

    /** Appends a command again, for any worker whose version of the bot has this command. */
    requeue({ id, version, body }: Delivery, interactionId: string): Promise<unknown> {
      const keys = [commands, commands, `${prefix}seen:${interactionId}`];
      return connection.run(REQUEUE, keys, [GROUP, id, version, body]);
    },

    /** Ends the lease of this worker. Other workers claim its unended entries. */
    leave: (): Promise<unknown> => connection.call('ZREM', workers, holder),

    /** Returns the state of a command. Marks a command that no worker runs (`late`) as deferred. */
    async markIfLate(interactionId: string): Promise<'late' | 'running' | 'ended'> {
      const marks = [`${prefix}seen:${interactionId}`, `${prefix}deferred:${interactionId}`];
      const state = await connection.run(DEFER, [workers, commands, ...marks], [GROUP, SUSPECT_MS]);
      return state === 'late' || state === 'running' ? state : 'ended';
    },

    /** Stores that a command sends follow-ups, or the text about an interruption. Its handler then never runs again. */
    noteFollowUps({ id, progress }: Delivery): Promise<unknown> {
      const value = progress === undefined || progress === 'answer' ? 1 : 2;
      return connection.call('SET', `${prefix}followed:${id}`, value, 'EX', SEEN_SECONDS);
    },

    /** Returns true if a gateway marked the interaction as deferred. */
    isDeferred: async (interactionId: string): Promise<boolean> =>
      (await connection.call('EXISTS', `${prefix}deferred:${interactionId}`)) === 1,

    /**
     * Acquires or renews a lease of this process: `leader` is held by the gateway that connects, `alone` by a process
     * that compares the registered commands. Returns the time of Redis, and `isHeld` if this process has the lease.
     */
    async acquire(lease: 'leader' | 'alone', leaseMs: number) {
      const reply = await connection.run(LEASE, [keys[lease]], [holder, leaseMs]);
      const [micros, current] = asList(reply);
      return { nowMs: Number(micros) / 1_000, isHeld: current === holder };
    },
    unlease: (lease: 'leader' | 'alone'): Promise<unknown> =>
      connection.run(UNLEASE, [keys[lease]], [holder]),

    storeReady: (ready: Ready): Promise<unknown> =>
      connection.call('SET', keys.ready, JSON.stringify(ready)),

    /** Returns READY of the gateway; `undefined` before the gateway connected for the first time. */
    async readReady(): Promise<Ready | undefined> {
      const ready = await connection.call('GET', keys.ready);
      // A gateway stored this value.
      return typeof ready === 'string' ? (JSON.parse(ready) as Ready) : undefined;
    },

    /**
     * Adds the times when this gateway identified, in milliseconds by the clock of Redis. Known times are not added
     * again. Returns the times of all gateways in the last day.
     */
    identified: async (atMs: readonly number[]): Promise<readonly number[]> =>
      asList(await connection.run(IDENTIFIED, [keys.identified], atMs)).map(Number),

    /** Stores when a gateway is connected and returns the former value, both in milliseconds by the clock of Redis. */
    async storeConnected(nowMs: number): Promise<number | undefined> {
      const before = await connection.call('SET', keys.connected, Math.floor(nowMs), 'GET');
      return before === null ? undefined : Number(before);
    },
  };
}
