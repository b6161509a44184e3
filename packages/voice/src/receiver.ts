import type { ReceivedPackets } from './receive/received-audio.js';
import type { TransportName } from './transport/load-transport.js';
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
  /** @param address - the IPv4 address to receive on. @defaultValue all addresses of this machine */
  accept(offer: string, address?: string): Promise<ReceivingSession>;
}

/**
 * Creates a receiver with the first of these packages that is installed. `undefined` if none is.
 *
 * @example
 * ```ts
 * const simulator = await startSimulator({ openReceiver: createReceiver });
 * ```
 */
export async function createReceiver(
  names: readonly TransportName[] = ['werift', 'node-datachannel'],
): Promise<Receiver | undefined> {
  for (const name of names) {
    try {
      return name === 'werift'
        ? receiveWithWerift(await import('werift'))
        : receiveWithDatachannel(await import('node-datachannel'));
    } catch {
      // The next one may be installed.
    }
  }
  return undefined;
}
