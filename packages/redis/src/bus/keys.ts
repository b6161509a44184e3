/** Number of streams of events. All events of a channel are in the same stream, in order. */
export const PARTITIONS = 16;

/** Name of the only consumer group of each stream: each entry goes to one worker. */
export const GROUP = 'workers';

export type Keys = ReturnType<typeof keysOf>;

/** Returns the keys of a bot. The braces make a Redis cluster keep them on one node, as scripts require. */
export function keysOf(app: string) {
  const prefix = `virgule:{${app}}:`;
  return {
    prefix,
    /** Stream of commands; an entry is deleted when its command has ended. */
    commands: `${prefix}commands`,
    /** Streams of all other events, which keep the latest entries. */
    events: Array.from({ length: PARTITIONS }, (_, index) => `${prefix}events:${index}`),
    dead: `${prefix}dead`,
    /** Sorted set of the workers, by the time of their last heartbeat. Entries of other workers can be claimed. */
    workers: `${prefix}workers`,
    draining: `${prefix}draining`,
    /** Hash of the worker that reads each stream of events. */
    owners: `${prefix}owners`,
    /** Event READY of the gateway, as JSON. */
    ready: `${prefix}ready`,
    /** Name of the gateway that holds the socket. */
    leader: `${prefix}leader`,
    /** Sorted set of the times when the bot identified, in milliseconds by the clock of Redis. */
    identified: `${prefix}identified`,
    /** Pub/sub channel of the pauses that the platform asks for, as JSON. */
    pauses: `${prefix}pauses`,
    /** Name of the process that holds the lease `alone`, to compare the registered commands. */
    alone: `${prefix}alone`,
    /** Time when a gateway was last connected, in milliseconds by the clock of Redis. */
    connected: `${prefix}connected`,
  };
}

/** Returns the partition of an event, by its channel or else its server; 0 without both. */
export function partitionOf(d: unknown): number {
  const { channelId, serverId }: Readonly<Record<string, unknown>> = Object(d);
  const place = typeof channelId === 'string' ? channelId : serverId;
  if (typeof place !== 'string') return 0;
  // FNV-1a
  let hash = 0x811c9dc5;
  for (let index = 0; index < place.length; index += 1)
    hash = Math.imul(hash ^ place.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % PARTITIONS;
}
