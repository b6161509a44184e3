import { silentLog } from '@virgule/core/log';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { FrameCounter, readFrame } from './frames.js';

const text = '{"op":"DISPATCH","t":"MESSAGE_CREATE","d":{"content":"é🎲"},"more":1}';
const frame = { op: 'DISPATCH', t: 'MESSAGE_CREATE', d: { content: 'é🎲' }, more: 1 };
const bytes = Buffer.from(text);

/** Returns what a session expects after a message. */
function expectation() {
  const counter = new FrameCounter({ log: silentLog, token: 'secret' });
  counter.countEvent('MESSAGE_CREATE');
  return counter.lastKnown;
}

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

  it('reads an event with the name of the one before as without that name, but parses only its payload', () => {
    const read = (sent: string | Buffer, expected = expectation()) =>
      readFrame(Buffer.from(sent), false, expected);
    const head = '{"op":"DISPATCH","t":"MESSAGE_CREATE","d":';
    for (const rest of [
      '{"content":"é🎲"}}',
      '{"content":"a\uFFFDb"}}',
      '{"t":"MESSAGE_DELETE","op":"X"}}',
      '7}',
      'null}',
      ' [1] }',
      '{}}\n',
      '{},"more":1}',
      '{},"t":"MESSAGE_DELETE"}',
      '{},"op":"HELLO"}',
      '{},"d":{"id":1}}',
      '{}',
      '{}]',
      '{}}}',
      '',
      '}',
      '{"content":"\u0000"}}',
    ])
      expect([rest, read(head + rest)]).toEqual([rest, readFrame(Buffer.from(head + rest), false)]);
    for (const other of [head.replace('CREATE', 'DELETE'), ` ${head}`, head.replace(',', ', ')])
      expect(read(`${other}{}}`)).toEqual(readFrame(Buffer.from(`${other}{}}`), false));
    const bad = Buffer.concat([Buffer.from(`${head}"`), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(read(bad)).toBe('malformed');
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    read(`${head}{"content":"x"}}`);
    expect(parse.mock.calls).toEqual([['{"content":"x"}']]);
    // A platform that writes more than the payload costs one attempt.
    const expected = expectation();
    parse.mockClear();
    for (let count = 0; count < 5; count += 1) read(`${head}{},"s":${count}}`, expected);
    expect(parse).toHaveBeenCalledTimes(6);
  });

  it('distinguishes binary from malformed', () => {
    expect(readFrame(bytes, true)).toBe('binary');
    for (const bad of ['', ' ', '{', 'null', 'true', '"op"', '[1]', '{"op":null}', '{"d":1}']) {
      expect(readFrame(Buffer.from(bad), false)).toBe('malformed');
    }
  });

  it('takes text that is no UTF-8 for malformed', () => {
    const bad = Buffer.concat([
      Buffer.from('{"op":"X","d":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(readFrame(bad, false)).toBe('malformed');
    expect(readFrame([bad], false)).toBe('malformed');
    expect(readFrame(new Uint8Array(bad).buffer, false)).toBe('malformed');
  });

  it('keeps a replacement character that was sent, and rejects bytes that are not UTF-8', () => {
    const sent = Buffer.from('{"op":"X","d":"a\uFFFDb"}');
    expect(readFrame(sent, false)).toEqual({ op: 'X', d: 'a\uFFFDb' });
    const at = sent.indexOf('a');
    for (const bad of [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf0, 0x9f, 0x8e]]) {
      const both = [sent.subarray(0, at), Buffer.from(bad), sent.subarray(at)];
      expect(readFrame(Buffer.concat(both), false)).toBe('malformed');
    }
  });

  it('takes a payload nested deeper than 1,000 for malformed, and a large flat one for what it is', () => {
    const nested = (depth: number) =>
      readFrame(
        Buffer.from(`{"op":"X","d":${'['.repeat(depth)}${' '.repeat(5_000)}${']'.repeat(depth)}}`),
        false,
      );
    expect(nested(1_000)).toMatchObject({ op: 'X' });
    expect(nested(1_001)).toBe('malformed');
    expect(nested(100_000)).toBe('malformed');
    const flat = JSON.stringify({ op: 'X', d: Array(100_000).fill({ a: 1 }) });
    expect(readFrame(Buffer.from(flat), false)).toMatchObject({ op: 'X' });
  });

  it('keeps __proto__ a key like any other', () => {
    const frame = readFrame(Buffer.from('{"op":"X","d":{"__proto__":{"evil":1}}}'), false);
    expect(Object.keys(Object(frame).d)).toEqual(['__proto__']);
    expect(readFrame(Buffer.from('{"__proto__":{"op":"X"}}'), false)).toBe('malformed');
    expect({}).not.toHaveProperty('evil');
  });
});

describe('FrameCounter', () => {
  it.each([
    ['a name', 'token-1', '[token]'],
    ['the end of the part that is logged', `${'x'.repeat(96)}token-1`, `${'x'.repeat(96)}[tok`],
  ])('logs no token as %s', (_, name, shown) => {
    const logged: object[] = [];
    const log = { ...silentLog, warn: (details: object) => void logged.push(details) };
    const counter = new FrameCounter({ log, token: 'token-1' });
    counter.count('unknownOp', name);
    counter.countEvent(name);
    expect(logged).toEqual([
      { kind: 'unknownOp', name: shown },
      { kind: 'unknownEvent', name: shown },
    ]);
  });
});
