import { describe, expect, it } from 'vitest';
import { readFrame } from './read-frame.js';

const text = '{"op":"DISPATCH","t":"MESSAGE_CREATE","d":{"content":"é🎲"},"more":1}';
const frame = { op: 'DISPATCH', t: 'MESSAGE_CREATE', d: { content: 'é🎲' } };
const bytes = Buffer.from(text);

describe('readFrame', () => {
  it('reads a frame in each form a socket hands it over', () => {
    const inside = Buffer.concat([Buffer.from('xx'), bytes, Buffer.from('yy')]);
    expect(readFrame(bytes, false)).toEqual(frame);
    expect(readFrame(inside.subarray(2, -2), false)).toEqual(frame);
    expect(readFrame(new Uint8Array(bytes).buffer, false)).toEqual(frame);
    // The cut falls inside a character.
    expect(readFrame([bytes.subarray(0, 55), bytes.subarray(55)], false)).toEqual(frame);
  });

  it('leaves the payload of other frames as it is', () => {
    expect(readFrame(Buffer.from('{"op":"HELLO","d":{"x":1},"t":7}'), false)).toEqual({
      op: 'HELLO',
      d: { x: 1 },
    });
    expect(readFrame(Buffer.from('{"op":"HEARTBEAT_ACK"}'), false)).toEqual({
      op: 'HEARTBEAT_ACK',
      d: undefined,
    });
  });

  it('tells binary from malformed', () => {
    expect(readFrame(bytes, true)).toBe('binary');
    for (const bad of ['', ' ', '{', 'null', 'true', '"op"', '[1]', '{"op":null}', '{"d":1}']) {
      expect(readFrame(Buffer.from(bad), false)).toBe('malformed');
    }
  });
});
