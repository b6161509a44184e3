import { FAULTS, type Fault } from './faults.js';

export interface DueFault {
  /** After the beginning, in milliseconds. */
  readonly atMs: number;
  readonly fault: Fault;
  /** Whether the gateway's connection is struck too. */
  readonly withGateway: boolean;
}

/** A fault comes this often, in milliseconds. */
export const FAULT_EVERY_MS = 10_000;

/**
 * A connection that holds for 60 s is healthy again, and its next loss is made good at once. Were it
 * struck more often the pauses between two connections would grow, as they should, to five minutes.
 */
const GATEWAY_EVERY_MS = 80_000;

/** All faults of a soak, in order, and with the same seed always the same. */
export function faultSchedule(forMs: number, random: () => number): DueFault[] {
  const schedule: DueFault[] = [];
  let gatewayAtMs = 0;
  for (let atMs = FAULT_EVERY_MS; atMs <= forMs - FAULT_EVERY_MS; atMs += FAULT_EVERY_MS) {
    // Inside: a random number is below 1, and there are faults.
    const fault = FAULTS[Math.floor(random() * FAULTS.length)]!;
    const withGateway = atMs - gatewayAtMs >= GATEWAY_EVERY_MS;
    if (withGateway) gatewayAtMs = atMs;
    schedule.push({ atMs, fault, withGateway });
  }
  return schedule;
}
