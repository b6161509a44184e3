import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ClientFrames, encodeFrame, textFrame, upgradeAnswer } from './web-socket-frames.js';

/** A frame as a client sends it: masked. */
function masked(opcode: number, payload: Buffer, mask: Buffer): Buffer {
  const isShort = payload.length < 126;
  const head = Buffer.alloc(isShort ? 2 : 4);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (isShort ? payload.length : 126);
  if (!isShort) head.writeUInt16BE(payload.length, 2);
  const body = payload.map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  return Buffer.concat([head, mask, body]);
}

const bytes = (minLength: number, maxLength: number) =>
  fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array));

describe('ClientFrames', () => {
  it('reads what a client sends, however it is cut into chunks', () => {
    const frame = fc.tuple(fc.constantFrom(1, 8, 9, 10), bytes(0, 300), bytes(4, 4));
    const property = fc.property(
      fc.array(frame, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (frames, sizes) => {
        const all = Buffer.concat(
          frames.map(([opcode, payload, mask]) => masked(opcode, payload, mask)),
        );
        const reader = new ClientFrames();
        const found: { kind: string | undefined; text: string }[] = [];
        for (let at = 0, turn = 0; at < all.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1;
          for (const { kind, payload } of reader.take(all.subarray(at, at + size))) {
            found.push({ kind, text: payload.toString('hex') });
          }
          at += size;
        }
        const kinds: Record<number, string> = { 1: 'text', 8: 'close', 9: 'ping', 10: 'pong' };
        expect(found).toEqual(
          frames.map(([opcode, payload]) => ({
            kind: kinds[opcode],
            text: payload.toString('hex'),
          })),
        );
      },
    );
    fc.assert(property, { numRuns: 200, seed: 20 });
  });

  it('has no name for other kinds of frames', () => {
    const [frame] = new ClientFrames().take(masked(2, Buffer.from('x'), Buffer.alloc(4)));
    expect(frame?.kind).toBeUndefined();
  });

  it('refuses a frame that no bot here sends', () => {
    const [first, second] = [0x81, 0x80 | 127];
    expect(() => [...new ClientFrames().take(Buffer.from([first, second]))]).toThrow(
      'more than 65,535 bytes',
    );
  });
});

describe('encodeFrame', () => {
  it.each([
    [0, 2],
    [125, 2],
    [126, 4],
    [65_535, 4],
    [65_536, 10],
  ])('puts %i bytes behind a head of %i', (length, head) => {
    const frame = encodeFrame('text', Buffer.alloc(length, 'x'));
    expect(frame).toHaveLength(head + length);
    expect(frame[0]).toBe(0x81);
    // A server masks nothing.
    expect((frame[1] ?? 0xff) & 0x80).toBe(0);
    const lengths: Record<number, () => number> = {
      2: () => frame.readUInt8(1),
      4: () => frame.readUInt16BE(2),
      10: () => Number(frame.readBigUInt64BE(2)),
    };
    expect(lengths[head]?.()).toBe(length);
  });

  it('writes a value as JSON text', () => {
    expect(textFrame({ op: 'ß' }).subarray(2).toString()).toBe('{"op":"ß"}');
  });
});

describe('upgradeAnswer', () => {
  it('accepts the key of the example in RFC 6455', () => {
    expect(upgradeAnswer('dGhlIHNhbXBsZSBub25jZQ==')).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });
});
