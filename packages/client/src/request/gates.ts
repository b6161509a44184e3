import type { Clock } from '@virgule/core/clock';
import { createFlows, firstOf, type Flow, type Flows } from './flow.js';

/** Why a call may not go yet, and until when; `undefined`: until another one has ended. */
export interface Denial {
  /** A paused bucket, or the circuit breaker of an origin that cannot be reached. */
  readonly gate: object;
  readonly untilMs: number | undefined;
}

interface Gate {
  readonly waiting: Flows;
  untilMs: number | undefined;
  sleep: AbortController | undefined;
}

/** The flows that wait for a bucket or an origin, so that trying them again costs nothing meanwhile. */
export class Gates {
  readonly #clock: Clock;
  readonly #onDue: (key: object) => void;
  readonly #gates = new Map<object, Gate>();

  /** `onDue` is called when the time of a gate has come. */
  constructor(clock: Clock, onDue: (key: object) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  /** Whether no flow waits: every request asks. */
  get isEmpty(): boolean {
    return this.#gates.size === 0;
  }

  /** Places a flow at the gate that denies it. */
  hold(flow: Flow, { gate: key, untilMs }: Denial): void {
    const gate = this.#gates.get(key) ?? {
      waiting: createFlows(),
      untilMs: undefined,
      sleep: undefined,
    };
    this.#gates.set(key, gate);
    flow.lane.place(flow, gate.waiting[flow.priority]);
    flow.gate = key;
    this.#sleep(key, gate, untilMs);
  }

  /** Returns the flow that is tried first when a gate opens. */
  first(key: object): Flow | undefined {
    const gate = this.#gates.get(key);
    return gate && firstOf(gate.waiting);
  }

  /** The gate stays closed until this time. */
  postpone({ gate: key, untilMs }: Denial): void {
    const gate = this.#gates.get(key);
    if (gate) this.#sleep(key, gate, untilMs);
  }

  /** Forgets a gate at which no flow waits. */
  forget(key: object): void {
    const gate = this.#gates.get(key);
    if (!gate || firstOf(gate.waiting)) return;
    gate.sleep?.abort();
    this.#gates.delete(key);
  }

  /** A sleep and not a timer: a call that waits keeps the process alive. */
  #sleep(key: object, gate: Gate, untilMs: number | undefined): void {
    if (gate.sleep && gate.untilMs === untilMs) return;
    gate.sleep?.abort();
    gate.untilMs = untilMs;
    gate.sleep = undefined;
    if (untilMs === undefined) return;
    const sleep = new AbortController();
    gate.sleep = sleep;
    this.#clock.sleep(untilMs - this.#clock.monotonic(), { signal: sleep.signal }).then(
      () => {
        if (gate.sleep !== sleep) return;
        gate.sleep = undefined;
        this.#onDue(key);
      },
      // It was ended for another one, or because nothing waits any more.
      () => {},
    );
  }
}
