import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { fittedError } from './print-problems.js';
import { widthOf } from './fit-line.js';

const long = Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ');

const error = new VirguleError({
  code: 'E_TEST',
  kind: 'user',
  message: `The message: ${long}`,
  hint: `A hint: ${long}`,
  location: { file: 'commands/roll.ts', line: 8, column: 120 },
  details: { frame: `> 8 | ${'x'.repeat(110)}here();\n    | ${' '.repeat(110)}^` },
});

describe('fittedError', () => {
  it('breaks lines between words, with an indentation', () => {
    const lines = fittedError(error, 80, {}).split('\n');
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
    const words = lines.join('\n').match(/\bword\d+\b/g);
    expect(words).toHaveLength(60);
    const hint = lines.findIndex((line) => line.startsWith('Try:  A hint'));
    expect(lines[hint + 1]).toMatch(/^ {6}word/);
  });

  it('cuts a code frame around its mark', () => {
    const lines = fittedError(error, 80, {}).split('\n');
    const [code, mark] = lines.filter((line) => /^[> ] *\d* \|/.test(line));
    expect(code?.indexOf('here')).toBe(mark?.indexOf('^'));
  });

  it('keeps the lines of an output that is not a terminal', () => {
    expect(fittedError(error, Infinity, {})).toContain(`The message: ${long}`);
  });
});
