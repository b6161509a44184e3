import { describe, expect, it } from 'vitest';
import { SILENCE, opusDurationMs } from './opus-packet.js';

describe('opusDurationMs', () => {
  it.each([
    [SILENCE, 20],
    [Uint8Array.of(0 << 3), 10],
    [Uint8Array.of(3 << 3), 60],
    [Uint8Array.of(13 << 3), 20],
    [Uint8Array.of(16 << 3), 2.5],
    [Uint8Array.of((31 << 3) | 1), 40],
    [Uint8Array.of((31 << 3) | 3, 6), 120],
    [Uint8Array.of((31 << 3) | 3, 7), 0],
    [Uint8Array.of((31 << 3) | 3), 0],
    [Uint8Array.of(), 0],
  ])('returns for %s %d ms', (packet, durationMs) => {
    expect(opusDurationMs(packet)).toBe(durationMs);
  });
});
