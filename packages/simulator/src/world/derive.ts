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
 * Returns a function that derives an id from a number below 2^32, at a tenth of the cost of `deriveId`. Ids differ in
 * their first and last eight digits, and can be computed from each other.
 */
export function numberedIds(seed: string, kind: string): (number: number) => string {
  const id = deriveId(seed, kind);
  const [first, last] = [Number.parseInt(id.slice(0, 8), 16), Number.parseInt(id.slice(-8), 16)];
  const middle = id.slice(8, -8);
  return (number) => digits(number ^ first) + middle + digits(number ^ last);
}

/** Returns eight hexadecimal digits, different for each 32-bit number. Steps and constants come from MurmurHash3. */
function digits(number: number): string {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85_eb_ca_6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2_b2_ae_35);
  return ((mixed ^ (mixed >>> 16)) >>> 0).toString(16).padStart(8, '0');
}

/**
 * Returns a throwaway value, such as a token, derived from a seed and a name. It is no secret, because it can be computed
 * from the seed, and never changes, so that a test or a `.env` can contain it.
 */
export const deriveSecret = (seed: string, name: string): string =>
  createHmac('sha256', seed).update(name).digest('hex').slice(0, 32);
