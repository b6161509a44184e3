import { createHmac, hash } from 'node:crypto';

/** A UUID in the layout of version 5: the same seed and name always give the same id. */
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
 * A throwaway value such as a token or a signature. Whoever knows the seed can make it again: it
 * opens nothing but this simulator, and stays the same so that a test or a `.env` can hold it.
 */
export function deriveSecret(seed: string, name: string): string {
  return createHmac('sha256', seed).update(name).digest('hex').slice(0, 32);
}
