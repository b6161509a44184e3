import { createHash } from 'node:crypto';

/** Returns the SHA-256 of some bytes, as hexadecimal digits. */
export function contentHash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
