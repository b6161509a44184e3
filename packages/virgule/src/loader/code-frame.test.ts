import { describe, expect, it } from 'vitest';
import { codeFrame } from './code-frame.js';

const SOURCE = Array.from({ length: 12 }, (_, n) => `const line${n + 1} = ${n + 1};`).join('\n');

describe('codeFrame', () => {
  it('shows two lines around the place and a mark below the column', () => {
    expect(codeFrame(SOURCE, { line: 9, column: 7 })).toBe(
      [
        '   7 | const line7 = 7;',
        '   8 | const line8 = 8;',
        '>  9 | const line9 = 9;',
        '     |       ^',
        '  10 | const line10 = 10;',
        '  11 | const line11 = 11;',
      ].join('\n'),
    );
  });

  it('stops at the first and the last line', () => {
    expect(codeFrame('one\r\ntwo', { line: 1, column: 1 })).toBe('> 1 | one\n    | ^\n  2 | two');
    expect(codeFrame('one\ntwo', { line: 2 })).toBe('  1 | one\n> 2 | two');
  });

  it('marks the end of a line for a column behind it', () => {
    expect(codeFrame('ab', { line: 1, column: 99 })).toBe('> 1 | ab\n    |   ^');
  });

  it('keeps tabs before the mark', () => {
    expect(codeFrame('\tx\ty', { line: 1, column: 4 })).toBe('> 1 | \tx\ty\n    | \t \t^');
  });

  it('cuts long lines around the column', () => {
    const long = `${'a'.repeat(500)}!${'b'.repeat(500)}`;
    const [line = '', mark = ''] = codeFrame(long, { line: 1, column: 501 }).split('\n');
    expect(line.length).toBeLessThan(110);
    expect(line.charAt(mark.indexOf('^'))).toBe('!');
  });

  it('is empty for a line that does not exist', () => {
    expect(codeFrame('a', { line: 2 })).toBe('');
    expect(codeFrame('a', { line: 0 })).toBe('');
  });
});
