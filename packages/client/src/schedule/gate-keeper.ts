import type { Clock } from '@virgule/core/clock';
import { unplace, type Flow } from './flow.js';
import { LinkedList } from './linked-list.js';
import { PRIORITY_CLASSES, type PriorityClass } from './priority.js';

/** What calls wait for: a paused bucket, or an origin that cannot be reached. */
interface Gate {
  readonly parked: Readonly<Record<PriorityClass, LinkedList<Flow>>>;
  /** When to look again; `undefined`: when a request in flight is over. */
  untilMs: number | undefined;
}

/** Holds the flows that may not continue, and wakes when the first of the known pauses is over. */
export class GateKeeper {
  readonly #clock: Clock;
  readonly #onDue: (gate: object) => void;
  readonly #gates = new Map<object, Gate>();
  #wakeAtMs = Number.POSITIVE_INFINITY;
  #sleep: AbortController | undefined;

  constructor(clock: Clock, onDue: (gate: object) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  park(flow: Flow, gate: object, untilMs: number | undefined): void {
    unplace(flow);
    const { parked } = this.#open(gate);
    flow.place = parked[flow.priority].push(flow);
    flow.gate = gate;
    this.keep(gate, untilMs);
  }

  /** Returns whether a flow waits at a gate, or did and it is not tidied yet. */
  has(gate: object): boolean {
    return this.#gates.has(gate);
  }

  /** Who is next at a gate. */
  first(gate: object): Flow | undefined {
    const parked = this.#gates.get(gate)?.parked;
    if (!parked) return undefined;
    for (const priority of PRIORITY_CLASSES) {
      const { first } = parked[priority];
      if (first) return first;
    }
    return undefined;
  }

  /** The gate stays shut until then. */
  keep(gate: object, untilMs: number | undefined): void {
    const known = this.#gates.get(gate);
    if (!known) return;
    known.untilMs = untilMs;
    if (untilMs !== undefined && untilMs < this.#wakeAtMs) this.#wakeAt(untilMs);
  }

  /** Forgets a gate at which no flow waits. */
  tidy(gate: object): void {
    if (this.first(gate)) return;
    this.#gates.delete(gate);
    if (this.#gates.size === 0) this.#stop();
  }

  #open(gate: object): Gate {
    const known = this.#gates.get(gate);
    if (known) return known;
    const parked = {
      interaction: new LinkedList<Flow>(),
      awaited: new LinkedList<Flow>(),
      background: new LinkedList<Flow>(),
    };
    const opened = { parked, untilMs: undefined };
    this.#gates.set(gate, opened);
    return opened;
  }

  #wakeAt(atMs: number): void {
    this.#stop();
    this.#wakeAtMs = atMs;
    const controller = new AbortController();
    this.#sleep = controller;
    const { signal } = controller;
    // A sleep and not a timer: a call that waits keeps the process alive.
    this.#clock.sleep(atMs - this.#clock.monotonic(), { signal }).then(
      () => this.#wake(controller),
      // It was given up for another one.
      () => {},
    );
  }

  #stop(): void {
    this.#sleep?.abort();
    this.#sleep = undefined;
    this.#wakeAtMs = Number.POSITIVE_INFINITY;
  }

  #wake(controller: AbortController): void {
    if (this.#sleep !== controller) return;
    this.#stop();
    const nowMs = this.#clock.monotonic();
    const due = [...this.#gates].filter(
      ([, { untilMs }]) => untilMs !== undefined && untilMs <= nowMs,
    );
    for (const [gate] of due) this.#onDue(gate);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { untilMs } of this.#gates.values()) nextMs = Math.min(nextMs, untilMs ?? nextMs);
    if (nextMs < this.#wakeAtMs) this.#wakeAt(nextMs);
  }
}
