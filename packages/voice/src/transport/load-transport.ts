import { errorText } from '@virgule/core/errors';
import { voiceErrors } from '../errors/voice-errors.js';
import { datachannelTransport } from './datachannel-transport.js';
import type { OpenTransport } from './transport.js';
import { weriftTransport } from './werift-transport.js';

/** The packages that can send audio, the preferred one first. */
const TRANSPORTS = {
  'node-datachannel': async () => datachannelTransport(await import('node-datachannel')),
  werift: async () => weriftTransport(await import('werift')),
};
export type TransportName = keyof typeof TRANSPORTS;

export const TRANSPORT_NAMES = Object.keys(TRANSPORTS) as readonly TransportName[];

/**
 * Loads the first of the packages that is installed and works here.
 *
 * @throws VirguleError `E_VOICE_TRANSPORT`.
 */
export async function loadTransport(
  names: readonly TransportName[] = TRANSPORT_NAMES,
  load: Readonly<Record<TransportName, () => Promise<OpenTransport>>> = TRANSPORTS,
): Promise<OpenTransport> {
  const reasons: string[] = [];
  for (const name of names) {
    try {
      return await load[name]();
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === MISSING;
      reasons.push(
        `${name} ${isMissing ? 'is not installed' : `fails with "${errorText(error)}"`}`,
      );
    }
  }
  throw voiceErrors.E_VOICE_TRANSPORT({ reason: reasons.join(', ') });
}

const MISSING = 'ERR_MODULE_NOT_FOUND';
