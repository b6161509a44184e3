import { FAULTS, type Fault } from './faults.js';

export interface DueFault {
  /** Time since the start, in milliseconds. */
  readonly atMs: number;
  readonly fault: Fault;
  /** `true` if the fault affects the gateway connection too. */
  readonly withGateway: boolean;
}

/** Time between two faults, in milliseconds. */
export const FAULT_INTERVAL_MS = 10_000;

/**
 * A connection that lasts for 60 s is healthy, and after its next loss the client reconnects immediately.
 * With more frequent faults, the delays between connections would correctly grow to five minutes.
 */
const GATEWAY_INTERVAL_MS = 80_000;

/** Returns all faults of a soak test, in order; the same ones for the same seed. */
export function faultSchedule(forMs: number, random: () => number): DueFault[] {
  const schedule: DueFault[] = [];
  let gatewayAtMs = 0;
  for (let atMs = FAULT_INTERVAL_MS; atMs <= forMs - FAULT_INTERVAL_MS; atMs += FAULT_INTERVAL_MS) {
    // In bounds: random numbers are below 1, and FAULTS is not empty.
    const fault = FAULTS[Math.floor(random() * FAULTS.length)]!;
    const withGateway = atMs - gatewayAtMs >= GATEWAY_INTERVAL_MS;
    if (withGateway) gatewayAtMs = atMs;
    schedule.push({ atMs, fault, withGateway });
  }
  return schedule;
}
