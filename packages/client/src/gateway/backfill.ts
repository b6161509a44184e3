import type { Timer } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import { isRecord } from '@virgule/core/objects';
import type { Message } from '@virgule/core/protocol';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import type { GatewayEvent } from './port.js';

/** Part of a REST client that reads messages back, such as the result of `createRest`. */
export interface MessageHistory {
  readonly messages: {
    /** Returns the messages of a channel, the newest first. */
    history(
      channelId: string,
      options: { readonly signal: AbortSignal; readonly limit?: number },
    ): AsyncIterable<Message>;
  };
}

/** Options to read messages back that were missed during a gap. */
export interface GatewayBackfill {
  readonly rest: MessageHistory;
  /**
   * Returns the ids of the channels to read, after each gap. Only the first 100 channels are read.
   *
   * @defaultValue the 100 channels with the latest messages
   */
  readonly channels?: (() => readonly string[]) | undefined;
}

export interface BackfillOptions
  extends GatewayBackfill, Pick<ResolvedGatewayOptions, 'clock' | 'log'> {
  /** Delivers events that were read back or held, in order. Returns false for a repeated event. */
  readonly deliver: (event: GatewayEvent) => boolean;
}

const MAX_CHANNELS = 100;
const AT_A_TIME = 4;

/** Maximum number of new events that wait while their channels are read. */
const MAX_HELD = 1_000;
/** Time limit to read all channels, in milliseconds. */
const MAX_READ_MS = 30_000;

/** Assumed maximum difference between the platform's clock and the local clock, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000;

/** Number of latest channels whose newest message is remembered. */
const REMEMBERED = 10_000;

/** Maximum number of messages of a channel that are read. */
const MAX_MESSAGES = 500;

interface OpenChannel {
  /** Time since which messages are missing, in milliseconds by the platform's clock. */
  readonly sinceMs: number;
  /** Events of the channel since the end of the gap, later than all messages that are read back. */
  readonly held: GatewayEvent[];
}

/** Reads watched channels after a gap, and keeps their events in order. */
export class Backfill {
  readonly #options: BackfillOptions;
  /** Time of the newest message of each channel, by the platform's clock. */
  readonly #newest = new LruMap<string>(2 * REMEMBERED);
  readonly #open = new Map<string, OpenChannel>();
  #run = new AbortController();
  #timer: Timer | undefined;
  #held = 0;
  #isOver = false;

  constructor(options: BackfillOptions) {
    this.#options = options;
  }

  /** Starts to read the messages of a gap since `fromWallMs`. Also completes the unfinished work of an earlier gap. */
  begin(fromWallMs: number): void {
    if (this.#isOver) return;
    this.#stop();
    this.#run = new AbortController();
    const channels = this.#channels();
    for (const channelId of this.#open.keys())
      if (!channels.includes(channelId)) this.#release(channelId);
    for (const channelId of channels) {
      if (this.#open.has(channelId)) continue;
      const newestMs = Date.parse(this.#newest.get(channelId) ?? '');
      // Without a known message, too many messages may be read; duplicates are recognized.
      const sinceMs = Number.isNaN(newestMs) ? fromWallMs - CLOCK_SKEW_MS : newestMs;
      this.#open.set(channelId, { sinceMs, held: [] });
    }
    const giveUp = (): void => this.#stopReading('reading took too long');
    this.#timer = this.#options.clock.setTimeout(giveUp, MAX_READ_MS);
    void this.#readAll(channels, this.#run.signal);
  }

  /** Returns true if an event is held, to be delivered later, because its channel is being read. */
  hold(event: GatewayEvent): boolean {
    const { t, d } = event;
    if (t === 'APPLICATION_COMMAND' || !isRecord(d)) return false;
    const { channelId, createdAt } = d;
    if (typeof channelId !== 'string') return false;
    if (t === 'MESSAGE_CREATE' && typeof createdAt === 'string')
      this.#newest.set(channelId, createdAt);
    const channel = this.#open.get(channelId);
    if (!channel) return false;
    channel.held.push(event);
    this.#held += 1;
    if (this.#held > MAX_HELD) this.#stopReading('too many new events arrived');
    return true;
  }

  /** Stops reading and drops the held events. */
  close(): void {
    this.#isOver = true;
    this.#stop();
    this.#open.clear();
    if (this.#held === 0) return;
    const message =
      'the gateway was closed while missed messages were read; the events behind them are dropped';
    this.#options.log.warn({ held: this.#held }, message);
  }

  #channels(): readonly string[] {
    const { channels, log } = this.#options;
    try {
      const all = channels ? [...new Set(channels())] : this.#latest();
      if (all.length > MAX_CHANNELS)
        log.warn({ channels: all.length, read: MAX_CHANNELS }, 'not all watched channels are read');
      return all.slice(0, MAX_CHANNELS);
    } catch (error) {
      log.error({ error }, 'could not list the watched channels');
      return [];
    }
  }

  /** Returns all known channels, the one with the latest message first. */
  #latest(): readonly string[] {
    const known = this.#newest.entries();
    return known.toSorted(([, a], [, b]) => Date.parse(b) - Date.parse(a)).map(([id]) => id);
  }

  async #readAll(channels: readonly string[], signal: AbortSignal): Promise<void> {
    const left = channels.values();
    let recovered = 0;
    const worker = async (): Promise<void> => {
      for (const channelId of left) {
        recovered += await this.#readOne(channelId, signal);
        if (signal.aborted) return;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
    if (signal.aborted) return;
    this.#timer?.cancel();
    this.#options.log.info({ channels: channels.length, recovered }, 'missed messages were read');
  }

  /** Returns how many messages were recovered. Never rejects. */
  async #readOne(channelId: string, signal: AbortSignal): Promise<number> {
    const { rest, log, clock, deliver } = this.#options;
    const sinceMs = this.#open.get(channelId)?.sinceMs ?? Number.POSITIVE_INFINITY;
    const missed: Message[] = [];
    try {
      for await (const message of rest.messages.history(channelId, { signal })) {
        // The history returns invalid items of the platform unchanged.
        if (!isRecord(message) || typeof message['id'] !== 'string') continue;
        // A message with an unreadable time may be missed, so it is kept.
        if (Date.parse(message.createdAt) < sinceMs) break;
        missed.push(message);
        if (missed.length < MAX_MESSAGES) continue;
        const text = 'no more missed messages are read in a channel';
        log.warn({ channelId, read: MAX_MESSAGES }, text);
        break;
      }
    } catch (error) {
      if (!signal.aborted) log.warn({ channelId, error }, 'missed messages could not be read');
    }
    if (signal.aborted) return 0;
    const receivedAtMs = clock.monotonic();
    const recovered = missed
      .reverse()
      .filter(
        (d) => !d.isDeleted && deliver({ t: 'MESSAGE_CREATE', d, receivedAtMs, recovered: true }),
      );
    this.#release(channelId);
    return recovered.length;
  }

  #stopReading(reason: string): void {
    const channelIds = [...this.#open.keys()];
    this.#options.log.warn({ channelIds, reason }, 'missed messages could not be read');
    this.#stop();
    for (const channelId of channelIds) this.#release(channelId);
  }

  #release(channelId: string): void {
    const held = this.#open.get(channelId)?.held ?? [];
    this.#open.delete(channelId);
    this.#held -= held.length;
    for (const event of held) this.#options.deliver(event);
  }

  #stop(): void {
    this.#run.abort();
    this.#timer?.cancel();
  }
}
