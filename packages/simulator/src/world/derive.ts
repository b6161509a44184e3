import { createHmac, hash } from 'node:crypto';

/** Returns a UUID in the layout of version 5, derived from a seed and a name. */
export function deriveId(seed: string, name: string): string {
  const hex = hash('sha1', `${seed}\0${name}`);
  const variant = (Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8;
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    variant.toString(16) + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}

/**
 * Returns a throwaway value, such as a token or a signature, derived from a seed and a name. Anyone who
 * knows the seed can compute it; it is valid only in this simulator, and never changes, so that a test or
 * a `.env` can contain it.
 */
export function deriveSecret(seed: string, name: string): string {
  return createHmac('sha256', seed).update(name).digest('hex').slice(0, 32);
}
