import { settlesWithin } from '@virgule/core/clock';
import type { BotListener } from '@virgule/runtime/bot';
import { MAX_DELIVERIES, type Delivery } from '../bus/bus.js';
import { ENTRY_VERSION, idOf, readEntry, type EventEntry } from '../bus/entry.js';
import { Outbox } from './outbox.js';
import type { RoleParts } from './role-parts.js';

/** Age from which a command may have been deferred by the gateway, in milliseconds. Younger commands are not looked up. */
const MAYBE_DEFERRED_MS = 100;
/**
 * Age up to which a command that this version of the bot lacks is queued again, in milliseconds. Other workers may have
 * it; users wait longer with a higher limit.
 */
const MAX_REQUEUE_MS = 1_000;
/**
 * Time that a call of a command waits for Redis, in milliseconds. The note of a follow-up is stored later if Redis is
 * away.
 */
const NOTE_MS = 1_000;
/**
 * Time limits of an entry that may have ended its workers and runs alone, in milliseconds. The entry waits up to this
 * time until nothing else runs, and then blocks other entries for up to this time: a handler that never ends must not
 * stop its worker.
 */
const ALONE_MS = 10_000;
/** Pause before a command is queued again, in milliseconds, so that other workers read it first. */
const REQUEUE_MS = 50;

export interface IntakeOptions extends RoleParts {
  /** Returns the time since which no other worker can have claimed entries of this worker; `Infinity` while others can. */
  readonly heldSinceMs: () => number;
  /** Called when an entry did not begin because another worker may have claimed it. */
  readonly onLost: () => void;
  /** Called when an entry has ended, so that another entry can begin. */
  readonly onRoom: () => void;
}

/** Runs, drops or passes on each entry of a worker, and acknowledges entries that have ended. */
export class Intake {
  readonly #options: IntakeOptions;
  /** Partition of each running entry, by stream and id. A running entry can be delivered again to this worker. */
  readonly #running = new Map<string, Delivery['partition']>();
  readonly #acknowledgements: Outbox<Delivery>;
  readonly #notes: Outbox<{ readonly delivery: Delivery; readonly noted: () => void }>;
  readonly #counts = { reclaimed: 0, dead: 0 };
  commandsRunning = 0;
  /** Set to pass all new entries on to other workers. */
  isDraining = false;
  /** Set while an entry runs alone (with its key), or waits to run alone (without a key). */
  #alone: { readonly key?: string; readonly untilMs: number } | undefined;
  listener: BotListener | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#acknowledgements = new Outbox({
      ...options,
      name: 'acknowledgements',
      send: async (batch) => {
        await options.bus.acknowledge(batch);
        for (const delivery of batch) this.#running.delete(keyOf(delivery));
        options.onRoom();
      },
    });
    this.#notes = new Outbox({
      ...options,
      name: 'notes of follow-ups',
      send: async (batch) => {
        await Promise.all(batch.map(({ delivery }) => options.bus.noteFollowUps(delivery)));
        for (const { noted } of batch) noted();
      },
    });
  }

  /** Numbers of entries: running now, taken over from other workers and set aside since the start. */
  get counts() {
    return { running: this.#running.size, ...this.#counts };
  }

  /** Set while an entry runs alone, or waits for this: no other entry may begin. */
  get isAlone(): boolean {
    if (!this.#alone) return false;
    const { key, untilMs } = this.#alone;
    if (key !== undefined && !this.#running.has(key)) return false;
    return this.#options.clock.monotonic() < untilMs;
  }

  get partitions(): Iterable<Delivery['partition']> {
    return this.#running.values();
  }

  /** Acknowledges all ended entries within `ms` milliseconds. */
  async close(ms: number): Promise<void> {
    await Promise.all([this.#acknowledgements.close(ms), this.#notes.close(ms)]);
  }

  /** Claims the commands of removed workers, and their events of these partitions. Returns false if it cannot now. */
  async claim(partitions: readonly number[]): Promise<boolean> {
    const { bus, clock } = this.#options;
    const isIdle = this.#running.size === 0;
    if (this.isAlone && !isIdle) return false;
    const hasWaited = this.#alone !== undefined && this.#alone.key === undefined;
    const { claimed, isAwaited } = await bus.reclaim(partitions, isIdle || hasWaited);
    if (!isAwaited) this.#alone = undefined;
    else if (!hasWaited) this.#alone = { untilMs: clock.monotonic() + ALONE_MS };
    await this.take(claimed);
    return true;
  }

  async take(deliveries: readonly Delivery[]): Promise<void> {
    // An entry that runs alone goes first, so that the other entries are passed on.
    const ordered = deliveries.toSorted((one, other) => other.deliveries - one.deliveries);
    await Promise.all(ordered.map((delivery) => this.#take(delivery)));
  }

  dispatch(
    { t, d, atMs, recovered }: EventEntry,
    queued: Parameters<BotListener['dispatch']>[0]['queued'],
  ): void {
    const { time, clock } = this.#options;
    // The clock of Redis may have been set back.
    const receivedAtMs = Math.min(time.toMonotonic(atMs), clock.monotonic());
    this.listener?.dispatch({ t, d, receivedAtMs, recovered, queued });
  }

  async #take(delivery: Delivery): Promise<void> {
    const { bus, log, heldSinceMs, onLost } = this.#options;
    const { stream, id, version, deliveries, progress } = delivery;
    if (this.#running.has(keyOf(delivery))) return;
    const heldMs = heldSinceMs();
    if (heldMs === Infinity) return onLost();
    const isDead = deliveries > MAX_DELIVERIES;
    const isNewer = version > ENTRY_VERSION;
    const mayBegin = !this.isAlone || (deliveries >= MAX_DELIVERIES && !this.#alone?.key);
    if (this.isDraining || !mayBegin || (isNewer && !isDead)) {
      await bus.passOn(delivery);
      return;
    }
    if (isDead) {
      this.#counts.dead += 1;
      const message =
        'an event was delivered and never ended; it is set aside: see `virgule failed`';
      log.error({ stream, id, deliveries: deliveries - 1 }, message);
    } else if (deliveries > 1) {
      this.#counts.reclaimed += 1;
      log.warn({ stream, id, deliveries }, 'handling an event of a worker that has gone');
    }
    const entry = isNewer ? undefined : readEntry(delivery.body);
    if (!entry && !isDead) log.error({ stream, id }, 'dropped an entry that cannot be read');
    if (entry && 'status' in entry && !isDead) this.listener?.status?.(entry.status, true);
    const isCommand = entry && 't' in entry && entry.t === 'APPLICATION_COMMAND';
    // After an interruption, the user of the command has the text about the interruption.
    const isOver = progress === 'interruption' || (isDead && !isCommand);
    if (!entry || 'status' in entry || isOver) return this.#acknowledgements.push(delivery);
    await this.#run(delivery, entry, heldMs);
  }

  async #run(delivery: Delivery, entry: EventEntry, heldMs: number): Promise<void> {
    const { bus, heldSinceMs, onLost } = this.#options;
    const key = keyOf(delivery);
    const isCommand = entry.t === 'APPLICATION_COMMAND';
    this.#running.set(key, delivery.partition);
    if (delivery.deliveries >= MAX_DELIVERIES)
      this.#alone = { key, untilMs: this.#options.clock.monotonic() + ALONE_MS };
    const isDeferred = isCommand && (await this.#mayBeDeferred(entry, delivery));
    // During the await, the worker may have begun to drain. The bot would then refuse the command.
    if (this.isDraining) {
      this.#running.delete(key);
      await bus.passOn(delivery);
      return;
    }
    // During the await, the process may have been suspended and the lease lost.
    if (heldSinceMs() !== heldMs) {
      this.#running.delete(key);
      return onLost();
    }
    if (isCommand) this.commandsRunning += 1;
    let end = (): void => this.#acknowledgements.push(delivery);
    this.dispatch(entry, {
      to: 'handlers',
      isDeferred,
      isAgain: delivery.progress !== undefined || entry.isAgain,
      isInterrupted: delivery.progress === 'follow-up',
      isSetAside: delivery.deliveries > MAX_DELIVERIES,
      followingUp: this.#noteOnce(delivery),
      isOwn: this.#checkOwn(delivery, entry, heldMs, () => {
        end = () => void this.#running.delete(key);
      }),
      trace: entry.trace,
      ended: () => {
        if (isCommand) this.commandsRunning -= 1;
        end();
      },
      passOn: () => {
        if (this.#ageOf(entry) >= MAX_REQUEUE_MS) return false;
        end = () => void this.#requeue(delivery, entry);
        return true;
      },
    });
  }

  /** Returns a function whose first call stores that a command sends follow-ups. */
  #noteOnce(delivery: Delivery): () => Promise<void> {
    let waited: Promise<void> | undefined;
    return () => {
      if (waited) return waited;
      const noted = new Promise<void>((resolve) => this.#notes.push({ delivery, noted: resolve }));
      return (waited = settlesWithin(noted, NOTE_MS, this.#options.clock).then(() => {}));
    };
  }

  /**
   * Returns a function that checks if this worker still has a command after a suspension of the process. The function
   * returns `undefined` without a suspension.
   */
  #checkOwn(delivery: Delivery, entry: EventEntry, heldMs: number, onOther: () => void) {
    const { bus, clock, heldSinceMs } = this.#options;
    let checkedMs = heldMs;
    const check = async (): Promise<boolean | undefined> => {
      const isLost = (): boolean => heldSinceMs() === Infinity;
      // After a renewal of the lease, no other worker can claim the command.
      for (let waitedMs = 0; isLost() && waitedMs < NOTE_MS; waitedMs += REQUEUE_MS)
        await clock.sleep(REQUEUE_MS);
      checkedMs = heldSinceMs();
      if (checkedMs === Infinity) return undefined;
      const isOwn = await bus.isOwn(delivery, idOf(entry) ?? '').catch(() => undefined);
      if (isOwn === false) onOther();
      return isOwn;
    };
    return () => (heldSinceMs() === checkedMs ? undefined : check());
  }

  #ageOf({ atMs }: EventEntry): number {
    const { time, clock } = this.#options;
    return Math.max(0, time.fromMonotonic(clock.monotonic()) - atMs);
  }

  async #mayBeDeferred(entry: EventEntry, { progress }: Delivery): Promise<boolean> {
    // A former worker may have deferred the command.
    if (entry.isDeferred || entry.isAgain || progress !== undefined) return true;
    const id = idOf(entry);
    if (id === undefined || this.#ageOf(entry) < MAYBE_DEFERRED_MS) return false;
    return this.#options.bus.isDeferred(id).catch(() => true);
  }

  /** Queues a command that this version of the bot lacks again, such as during a rolling update. */
  async #requeue(delivery: Delivery, entry: EventEntry): Promise<void> {
    const { bus, clock, onRoom } = this.#options;
    // Other workers read during this pause.
    await clock.sleep(REQUEUE_MS);
    // After a failure, this worker still has the command: it is read again, or claimed by another worker.
    await bus.requeue(delivery, idOf(entry) ?? '').catch(() => {});
    this.#running.delete(keyOf(delivery));
    onRoom();
  }
}

const keyOf = ({ stream, id }: Delivery): string => `${stream} ${id}`;
