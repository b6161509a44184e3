import type { ReceivedPackets } from './receive/received-audio.js';
import { receiveWithDatachannel, receiveWithWerift } from './receive/accept-offer.js';

/** A WebRTC connection that receives audio. */
export interface ReceivingSession {
  /** The SDP answer. */
  readonly answer: string;
  readonly received: Pick<ReceivedPackets, 'packets' | 'lost' | 'audioHash' | 'isStereo'>;
  /** Calls the listener with each Opus packet. */
  listen(listener: (payload: Uint8Array) => void): void;
  close(): Promise<void>;
}

/** Receives audio, for the simulator and for tests. */
export interface Receiver {
  accept(offer: string): Promise<ReceivingSession>;
}

/**
 * Creates a receiver with the package that is installed: werift or node-datachannel. `undefined` if none is.
 *
 * @example
 * ```ts
 * const simulator = await startSimulator({ openReceiver: createReceiver });
 * ```
 */
export async function createReceiver(): Promise<Receiver | undefined> {
  try {
    return receiveWithWerift(await import('werift'));
  } catch {
    try {
      return receiveWithDatachannel(await import('node-datachannel'));
    } catch {
      return undefined;
    }
  }
}
