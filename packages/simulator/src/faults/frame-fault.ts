import type { Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import { omitFields } from './answer-with-fault.js';
import type { Fault } from './faults.js';

/** What a fault can do with a frame and its connection. */
export interface FaultyConnection {
  readonly clock: Clock;
  send(text: string): void;
  /** Sends it after the next frame. */
  hold(text: string): void;
  close(code: number): void;
  silence(): void;
}

/** Does to a frame of the platform what a fault says. */
export function applyFrameFault(fault: Fault, text: string, connection: FaultyConnection): void {
  const { effect } = fault;
  switch (effect.type) {
    case 'lose':
      return;
    case 'duplicate':
      connection.send(text);
      connection.send(text);
      return;
    case 'reorder':
      connection.hold(text);
      return;
    case 'malformed':
      connection.send(text.slice(0, text.length / 2));
      return;
    case 'omit':
      connection.send(omitFromPayload(text, effect.fields));
      return;
    case 'delay': {
      const ms = effect.ms + fault.random() * (effect.jitterMs ?? 0);
      connection.clock.setTimeout(() => connection.send(text), ms);
      return;
    }
    case 'close':
      connection.close(effect.code);
      return;
    case 'silence':
      connection.silence();
      return;
    default:
      // The schema allows the others only of requests.
      connection.send(text);
  }
}

/** Removes fields of `d`. */
function omitFromPayload(text: string, fields: readonly string[]): string {
  const frame: unknown = JSON.parse(text);
  if (!isRecord(frame)) return text;
  const d: unknown = JSON.parse(omitFields(JSON.stringify(frame['d'] ?? null), fields));
  return JSON.stringify({ ...frame, d });
}
