import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignWords } from './assign-words.js';
import type { LineOption } from './line-option.js';
import { skipCommandName } from './skip-command-name.js';

interface Lines {
  readonly commands: readonly (readonly [name: string, options: readonly LineOption[]])[];
  readonly lines: readonly {
    readonly about: string;
    readonly typed: string;
    readonly command: string;
    readonly values: readonly (string | boolean | null)[];
    readonly mismatch: string | null;
  }[];
}

const { commands, lines } = JSON.parse(
  readFileSync(new URL('../../test/samples/raw-input-lines.json', import.meta.url), 'utf8'),
) as Lines;

const options: readonly LineOption[] = [
  { name: 'size', take: 'word' },
  { name: 'loud', take: 'word', negatable: true },
  { name: 'note', take: 'rest' },
];

/** Returns the parts of the line with values, by option. */
function places(line: string, list = options): Record<string, string> {
  const { values } = assignWords(line, 0, list);
  return Object.fromEntries(
    list.flatMap(({ name }, index) => {
      const value = values[index];
      return value === undefined ? [] : [[name, line.slice(value.start, value.end)]];
    }),
  );
}

describe('assignWords', () => {
  it.each(lines)('$about: $typed', ({ typed, command, values, mismatch }) => {
    const list = new Map(commands).get(command) ?? [];
    const assignment = assignWords(typed, skipCommandName(typed, command), list);
    expect(assignment.values.map((value) => value?.typed ?? null)).toEqual(values);
    expect(assignment.mismatch?.kind ?? null).toBe(mismatch);
  });

  it.each([
    ['5 yes as typed ', { size: '5', loud: 'yes', note: 'as typed ' }],
    ['"5" --note=a b', { size: '"5"', note: 'a b' }],
    ['--note "a b" size:"5"', { note: '"a b"', size: '"5"' }],
    ['--loud --size 5', { loud: '--loud', size: '5' }],
    ['--loud false', { loud: 'false' }],
    ['--no-loud 5', { loud: '--no-loud', size: '5' }],
  ])('locates the values of %j', (line, expected) => {
    expect(places(line)).toEqual(expected);
  });

  it('assigns no word to a flag, only its name', () => {
    const flagged: readonly LineOption[] = [
      { name: 'loud', take: 'word', named: true, negatable: true },
      { name: 'note', take: 'rest' },
    ];
    expect(places('yes --loud', flagged)).toEqual({ note: 'yes --loud' });
    expect(places('--loud yes', flagged)).toEqual({ loud: '--loud', note: 'yes' });
    expect(places('--loud=yes no', flagged)).toEqual({ loud: 'yes', note: 'no' });
    expect(assignWords('yes', 0, flagged.slice(0, 1)).mismatch?.kind).toBe('surplus');
  });

  it.each([
    ['1 yes', options.slice(0, 1), { kind: 'surplus', typed: 'yes', start: 2, end: 5 }],
    ['1 size:2 3', options, { kind: 'repeated', typed: 'size:2', start: 2, end: 8 }],
    ['--size --loud', options, { kind: 'valueless', typed: '--size', start: 0, end: 6 }],
    ['"1 yes ', options, { kind: 'unterminated-quote', typed: '"1 yes', start: 0, end: 6 }],
  ])('locates the mismatch of %j and keeps the values before it', (line, list, mismatch) => {
    const assignment = assignWords(line, 0, list);
    expect(assignment.mismatch).toMatchObject(mismatch);
    expect(assignment.values[0]?.typed).toBe(line.startsWith('1') ? '1' : undefined);
  });

  it('assigns each part of a line to one option, in any line', () => {
    const piece = fc.oneof(
      fc.constantFrom('5', '--loud', '--no-loud', '--size', '--size=', 'note:', 'note:x', '"q r"'),
      fc.constantFrom('--x', "'t", '"', '“', '\\', ' ', '\n', '—size'),
      fc.string({ maxLength: 4 }),
    );
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const line = pieces.join(' ');
      const { values, mismatch } = assignWords(line, 0, options);
      const taken = [...values, mismatch].filter((part) => part !== undefined);
      let end = 0;
      for (const part of taken.toSorted((a, b) => a.start - b.start)) {
        expect(part.start).toBeGreaterThanOrEqual(end);
        expect(part.end).toBeGreaterThanOrEqual(part.start);
        end = part.end;
      }
      expect(end).toBeLessThanOrEqual(line.length);
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });
});
