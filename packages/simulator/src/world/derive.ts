import { createHash, createHmac } from 'node:crypto';

/** A UUID in the layout of version 5: the same seed and name always give the same id. */
export function deriveId(seed: string, name: string): string {
  const bytes = createHash('sha1').update(`${seed}\0${name}`).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
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
