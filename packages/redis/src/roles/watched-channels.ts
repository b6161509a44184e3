import { isRecord } from '@virgule/core/objects';
import { isLater, readEntry, type EventEntry } from '../bus/entry.js';
import { partitionOf } from '../bus/keys.js';
import type { Connection } from '../connection/connection.js';
import type { RoleParts } from './role-parts.js';

/** Time that a read waits for an event, in milliseconds. Channels that are added during a read join the next read. */
const BLOCK_MS = 100;
const RETRY_MS = 100;

interface WatchedChannel {
  readonly partition: number;
  /** Id of the last event that was read, or at first an id made of the start time. */
  after: string;
  watchers: number;
}

export interface WatchedChannelsOptions extends Omit<RoleParts, 'log'> {
  /** Opens the connection for reads, at the first use. */
  readonly openReader: () => Connection;
  readonly deliver: (event: EventEntry) => void;
}

/** Reads all events of the channels in which commands of this worker wait, also events that other workers handle. */
export class WatchedChannels {
  readonly #options: WatchedChannelsOptions;
  readonly #channels = new Map<string, WatchedChannel>();
  #reader: Connection | undefined;
  #isReading = false;

  constructor(options: WatchedChannelsOptions) {
    this.#options = options;
  }

  /** Delivers the events of a channel since a reading of `Clock.monotonic()`, until the returned function is called. */
  watch(channelId: string, sinceMs: number): () => void {
    const after = `${Math.floor(this.#options.time.fromMonotonic(sinceMs))}-0`;
    const partition = partitionOf({ channelId });
    const channel = this.#channels.get(channelId) ?? { partition, after, watchers: 0 };
    channel.watchers += 1;
    this.#channels.set(channelId, channel);
    if (!this.#isReading) void this.#read();
    return () => {
      channel.watchers -= 1;
      if (channel.watchers === 0) this.#channels.delete(channelId);
    };
  }

  close(): void {
    this.#channels.clear();
    this.#reader?.close();
  }

  async #read(): Promise<void> {
    const { bus, clock, openReader, deliver } = this.#options;
    this.#isReading = true;
    this.#reader ??= openReader();
    while (this.#channels.size > 0) {
      // A channel that is added during the read may begin earlier, so it joins the next read.
      const channels = new Map(this.#channels);
      const last = new Map<number | 'commands', string>();
      try {
        await this.#reader.ready();
        const from = earliest(channels.values());
        for (const { partition, id, body } of await bus.tail(this.#reader, from, BLOCK_MS)) {
          last.set(partition, id);
          const entry = readEntry(body);
          if (!entry || 'status' in entry || !isRecord(entry.d)) continue;
          const channel = channels.get(String(entry.d['channelId']));
          if (channel && channel.watchers > 0 && isLater(id, channel.after)) deliver(entry);
        }
      } catch {
        await clock.sleep(RETRY_MS);
      }
      for (const channel of channels.values()) {
        const id = last.get(channel.partition);
        if (id !== undefined && isLater(id, channel.after)) channel.after = id;
      }
    }
    this.#isReading = false;
  }
}

/** Returns the id after which to read each partition: the earliest of its channels. */
function earliest(channels: Iterable<WatchedChannel>): ReadonlyMap<number, string> {
  const from = new Map<number, string>();
  for (const { partition, after } of channels) {
    const known = from.get(partition);
    if (known === undefined || isLater(known, after)) from.set(partition, after);
  }
  return from;
}
