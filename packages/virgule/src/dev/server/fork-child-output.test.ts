import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutputSplitter } from './fork-child.js';

const KEY = 'key-of-this-process';
const ENTRY = '{"level":30,"msg":"said"}';

/** Returns the result of these chunks: printed lines unchanged, entries behind a mark. */
function split(chunks: readonly string[], maxLength?: number): string[] {
  const lines: string[] = [];
  const splitter = createOutputSplitter(
    KEY,
    (line, log) => lines.push(log ? `entry ${line}` : line),
    maxLength,
  );
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return lines;
}

describe('createOutputSplitter', () => {
  it.each([
    ['lines', ['a\nb\n'], ['a', 'b']],
    ['a line in parts', ['a', 'b', 'c\n'], ['abc']],
    ['every kind of line end', ['a\r\nb\rc\n\nd'], ['a', 'b', 'c', '', 'd']],
    ['a line end in parts', ['a\r', '\nb\r', 'c\r'], ['a', 'b', 'c']],
    ['what has no line end', ['a\nb'], ['a', 'b']],
    ['an entry', [`${KEY}${ENTRY}\n`], [`entry ${ENTRY}`]],
    ['an entry in parts', [KEY.slice(0, 5), `${KEY.slice(5)}{"a"`, ':1}\n'], ['entry {"a":1}']],
    [
      'an entry behind an open line',
      [`no newline${KEY}${ENTRY}\nb\n`],
      ['no newline', `entry ${ENTRY}`, 'b'],
    ],
    ['what looks like an entry', [`${ENTRY}\n`], [ENTRY]],
    ['nothing', [''], []],
  ])('divides %s', (_, chunks, lines) => {
    expect(split(chunks)).toEqual(lines);
  });

  it('passes a line that does not end on in parts, and loses nothing of it', () => {
    const lines = split(
      Array.from({ length: 100 }, () => 'y'.repeat(1_000)),
      10_000,
    );
    expect(lines.join('')).toBe('y'.repeat(100_000));
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(12_000);
  });

  it('finds an entry behind a line that did not end, wherever that is cut', () => {
    for (let length = 90; length < 130; length += 1) {
      const text = `${'y'.repeat(length)}${KEY}${ENTRY}\n`;
      const chunks = text.match(/.{1,7}|\n/g) ?? [];
      const lines = split(chunks, 100);
      expect(lines.at(-1)).toBe(`entry ${ENTRY}`);
      expect(lines.slice(0, -1).join('')).toBe('y'.repeat(length));
    }
  });

  it('divides the same, for any chunks', () => {
    const piece = fc.constantFrom('a', '\n', '\r', '\r\n', KEY, `${KEY}${ENTRY}\n`, '日');
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40), { minLength: 1 }), (pieces, sizes) => {
        const text = pieces.join('');
        const chunks: string[] = [];
        for (let at = 0, n = 0; at < text.length; n += 1) {
          const size = (sizes[n % sizes.length] ?? 0) + 1;
          chunks.push(text.slice(at, at + size));
          at += size;
        }
        expect(split(chunks)).toEqual(split([text]));
      }),
      { seed: 20, numRuns: 500 },
    );
  });
});
