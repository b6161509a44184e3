import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { closed, CloseCodes, lost } from './endings.js';

function open() {
  const logged: string[] = [];
  const codes = new CloseCodes({ ...silentLog, error: (_, message) => void logged.push(message) });
  return { codes, logged };
}

describe('CloseCodes', () => {
  it('counts every code that was seen', () => {
    const { codes } = open();
    for (const code of [1006, 4242, 1006]) codes.count(closed(code, '', true), true);
    codes.count(lost('no HELLO'), false);
    expect(codes.counts).toEqual({ 1006: 2, 4242: 1 });
  });

  it('reports once when the same code closes the connection 5 times in a row before READY', () => {
    const { codes, logged } = open();
    for (let n = 0; n < 20; n += 1) codes.count(closed(4242, 'not now', false), false);
    expect(logged).toEqual([
      'the gateway closed the connection 5 times in a row with the same code: closed with code 4242 "not now"',
    ]);
  });

  it('reports nothing when READY came in between, or another code', () => {
    const { codes, logged } = open();
    for (let n = 0; n < 20; n += 1) {
      for (let again = 0; again < 4; again += 1) codes.count(closed(4242, '', false), false);
      codes.count(closed(4242, '', true), true);
      for (let again = 0; again < 4; again += 1) codes.count(closed(4242, '', false), false);
      codes.count(closed(1013, '', false), false);
      codes.count(lost('no HELLO'), false);
    }
    expect(logged).toEqual([]);
  });
});
