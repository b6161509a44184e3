import type { Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { Bus } from '../bus/bus.js';
import { readEntry, type EventEntry } from '../bus/entry.js';
import { partitionOf } from '../bus/keys.js';
import type { RedisTime } from '../bus/redis-time.js';
import type { Connection } from '../connection/connection.js';

/** How long a read waits for an event: the next one begins with the channels that were added meanwhile. */
const BLOCK_MS = 100;
const RETRY_MS = 100;

interface WatchedChannel {
  /** The last event that was delivered, or the time from which on they are. */
  after: string;
  watchers: number;
}

export interface WatchedChannelsOptions {
  readonly bus: Bus;
  readonly time: RedisTime;
  readonly clock: Clock;
  /** Opens the connection that reads, at the first use. */
  readonly openReader: () => Connection;
  readonly deliver: (event: EventEntry) => void;
}

/** Reads the events of the channels in which commands of this worker wait, whichever worker handles them. */
export class WatchedChannels {
  readonly #options: WatchedChannelsOptions;
  readonly #channels = new Map<string, WatchedChannel>();
  /** The last event that was read of each partition with such a channel. */
  readonly #after = new Map<number, string>();
  #reader: Connection | undefined;
  #isReading = false;

  constructor(options: WatchedChannelsOptions) {
    this.#options = options;
  }

  /** Delivers the events of a channel since a reading of `Clock.monotonic()`, until the returned function is called. */
  watch(channelId: string, sinceMs: number): () => void {
    const after = `${Math.floor(this.#options.time.fromMonotonic(sinceMs))}-0`;
    const channel = this.#channels.get(channelId) ?? { after, watchers: 0 };
    channel.watchers += 1;
    this.#channels.set(channelId, channel);
    const partition = partitionOf({ channelId });
    const current = this.#after.get(partition);
    if (current === undefined || isLater(current, after)) this.#after.set(partition, after);
    if (!this.#isReading) void this.#read();
    return () => {
      channel.watchers -= 1;
      if (channel.watchers > 0) return;
      this.#channels.delete(channelId);
      const others = [...this.#channels.keys()];
      if (!others.some((id) => partitionOf({ channelId: id }) === partition)) {
        this.#after.delete(partition);
      }
    };
  }

  close(): void {
    this.#channels.clear();
    this.#after.clear();
    this.#reader?.close();
  }

  async #read(): Promise<void> {
    const { bus, clock, openReader } = this.#options;
    this.#isReading = true;
    this.#reader ??= openReader();
    while (this.#after.size > 0) {
      const from = new Map(this.#after);
      try {
        await this.#reader.ready();
        for (const { partition, id, body } of await bus.tail(this.#reader, from, BLOCK_MS)) {
          if (partition === 'commands') continue;
          // One that was watched again meanwhile begins earlier.
          if (this.#after.get(partition) === from.get(partition)) {
            this.#after.set(partition, id);
            from.set(partition, id);
          }
          this.#take(id, body);
        }
      } catch {
        await clock.sleep(RETRY_MS);
      }
    }
    this.#isReading = false;
  }

  #take(id: string, body: string): void {
    const entry = readEntry(body);
    if (!entry || 'status' in entry || !isRecord(entry.d)) return;
    const channel = this.#channels.get(String(entry.d['channelId']));
    if (!channel || !isLater(id, channel.after)) return;
    channel.after = id;
    this.#options.deliver(entry);
  }
}

/** Compares ids of a stream: a time and a number. */
function isLater(id: string, other: string): boolean {
  const [time = 0, number = 0] = id.split('-').map(Number);
  const [otherTime = 0, otherNumber = 0] = other.split('-').map(Number);
  return time > otherTime || (time === otherTime && number > otherNumber);
}
