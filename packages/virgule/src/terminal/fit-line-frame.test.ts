import { describe, expect, it } from 'vitest';
import { codeFrame } from '../loader/code-frame.js';
import { fitFrame, widthOf } from './fit-line.js';

const LINE = `  run: ({ options }) => \`You rolled \${1 + Math.floor(random() * options.sides)}\`,`;
const SOURCE = `export default {\n${LINE}\n};`;
const frameAt = (column: number): string => codeFrame(SOURCE, { line: 2, column });

describe('fitFrame', () => {
  it('leaves a frame that fits as it is', () => {
    expect(fitFrame(frameAt(5), 100)).toBe(frameAt(5));
    expect(fitFrame('no frame', 3)).toBe('no frame');
    expect(fitFrame('', 40)).toBe('');
  });

  it('cuts the ends of lines when the mark is in sight', () => {
    expect(fitFrame(frameAt(6), 40).split('\n')).toEqual([
      '  1 | export default {',
      '> 2 |   run: ({ options }) => `You roll…',
      '    |      ^',
      '  3 | };',
    ]);
  });

  it.each([40, 41, 50, 60, 80])(
    'keeps a mark far to the right in sight within %i columns',
    (columns) => {
      const lines = fitFrame(frameAt(LINE.length - 2), columns).split('\n');
      expect(lines.every((line) => widthOf(line) <= columns)).toBe(true);
      const [, text = '', mark = ''] = lines;
      expect(text).toMatch(/^> 2 \| …/);
      // It is still below the same letter.
      expect(text[mark.indexOf('^')]).toBe(LINE[LINE.length - 3]);
    },
  );
});
