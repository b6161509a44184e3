import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CommandOption } from '@virgule/core/protocol';
import { skipCommandName } from '@virgule/core/raw-input';
import { describeMismatch, optionLabel, readTypedLine } from './typed-line.js';

const option = (name: string, type = 'string', required = false): CommandOption => ({
  name,
  type,
  required,
  description: '',
});
const options = [option('sides', 'integer'), option('loud', 'boolean'), option('note')];
const withAnswer = [option('sides', 'integer'), option('sure', 'boolean', true), option('note')];

function read(line: string, list = options) {
  const { values, next, mismatch } = readTypedLine(list, line, 0);
  return {
    values: Object.fromEntries(values.map((value) => [value.option.name, value.text])),
    places: values.map((value) => line.slice(value.start, value.end)),
    flags: values.filter((value) => value.isFlag).map((value) => value.option.name),
    next: next?.name ?? null,
    mismatch: mismatch === null ? null : describeMismatch(mismatch),
  };
}

interface Lines {
  /** Options in the form for the platform, which the page receives. */
  readonly commands: readonly (readonly [name: string, options: readonly CommandOption[]])[];
  readonly lines: readonly {
    readonly about: string;
    readonly typed: string;
    readonly command: string;
    /** Values that the runtime assigns to the options. */
    readonly values: readonly (string | boolean | null)[];
    readonly mismatch: string | null;
  }[];
}

// Another test checks this file against the runtime.
const { commands, lines } = JSON.parse(
  readFileSync(new URL('../../../core/test/samples/raw-input-lines.json', import.meta.url), 'utf8'),
) as Lines;

/** Cases with `option.rest()`, which the wire does not show: the page reads the rest of a last string. */
const NOT_ON_THE_WIRE = [
  'option.rest() keeps everything as typed',
  'a named option.rest() keeps its quotes',
  'one quoted value is a list with one item',
];

/** The values and the mismatch that the page reads, in the form of the table. */
function readRow({ typed, command }: Lines['lines'][number]) {
  const wire = new Map(commands).get(command) ?? [];
  const { values, mismatch } = readTypedLine(wire, typed, skipCommandName(typed, command));
  return {
    values: wire.map(({ name }) => {
      const value = values.find(({ option }) => option.name === name);
      if (value === undefined || mismatch?.kind === 'unterminated-quote') return null;
      return value.isFlag ? value.text === 'true' : value.text;
    }),
    mismatch: mismatch?.kind ?? null,
  };
}

describe('optionLabel', () => {
  it.each([
    [option('who', 'user', true), 'who'],
    [option('note'), 'note?'],
    [option('loud', 'boolean'), '--loud'],
    [option('sure', 'boolean', true), 'sure'],
    [{ ...option('repeat'), description: 'How often (--repeat)' }, '--repeat <value>'],
  ])('labels %o', (labeled, label) => {
    expect(optionLabel(labeled)).toBe(label);
  });
});

describe('readTypedLine', () => {
  const [unknown, known] = [true, false].map((isUnknown) =>
    lines.filter(({ about }) => NOT_ON_THE_WIRE.includes(about) === isUnknown),
  );

  it.each(known ?? [])('assigns words as the runtime does: $about: $typed', (row) => {
    expect(readRow(row)).toEqual({ values: row.values, mismatch: row.mismatch });
  });

  it.each(unknown ?? [])('cannot know: $about: $typed', (row) => {
    expect(readRow(row)).not.toEqual({ values: row.values, mismatch: row.mismatch });
  });

  it('fills options by position and names the next one', () => {
    expect(read('20')).toMatchObject({ values: { sides: '20' }, next: 'note' });
    expect(read('20', withAnswer)).toMatchObject({ values: { sides: '20' }, next: 'sure' });
    expect(read('')).toMatchObject({ values: {}, next: 'sides' });
  });

  it('skips an optional number for a word, and does not name it as the next one', () => {
    const list = [option('sides', 'integer'), option('name'), option('note')];
    expect(read('ada ', list)).toMatchObject({ values: { name: 'ada' }, next: 'note' });
  });

  it('assigns the rest of the line to a last string', () => {
    const result = read('20 yes as loud as  you can ', withAnswer);
    expect(result.values).toEqual({ sides: '20', sure: 'yes', note: 'as loud as  you can' });
    expect(result.places[2]).toBe('as loud as  you can ');
    expect(result.next).toBeNull();
  });

  it('continues after a named rest in quotes', () => {
    expect(read('--note "two words" ')).toMatchObject({
      values: { note: 'two words' },
      next: 'sides',
    });
  });

  it('locates a named value without its name, and a flag with it', () => {
    expect(read('--sides=20 loud:true').places).toEqual(['20', 'true']);
    expect(read('--loud 20')).toMatchObject({ places: ['20', '--loud'], flags: ['loud'] });
    expect(read('--no-loud')).toMatchObject({ places: ['--no-loud'], values: { loud: 'false' } });
  });

  it('takes a value whose quote is open as being typed', () => {
    expect(read('"two wor', [option('title'), option('note')])).toMatchObject({
      values: { title: 'two wor' },
      places: ['"two wor'],
      mismatch: 'title: the quote is never closed',
    });
  });

  it.each([
    ['1 true', [], '"1 true" belongs to no option'],
    ['1 true 3 4', options.slice(0, 2), '"true 3 4" belongs to no option'],
    ['1 true 3 4', withAnswer.slice(0, 2), '"3 4" belongs to no option'],
    ['--sides 1 sides:2', options, 'sides is given twice'],
    ['--sides --loud', options, '--sides has no value'],
    ['--sides', options, '--sides has no value'],
  ])('reports what the bot would refuse in %j', (line, list, mismatch) => {
    expect(read(line, list).mismatch).toBe(mismatch);
  });

  it('locates values in the order of the line, and never one inside another', () => {
    const words = ['a', '20', '--loud', '--sides', 'note:', 'note:x', '"q r"', '--x', "'t", '"'];
    const property = fc.property(fc.array(fc.constantFrom(...words), { maxLength: 8 }), (parts) => {
      const line = parts.join(' ');
      const { values, next } = readTypedLine(options, line, 0);
      const names = values.map((value) => value.option.name);
      expect(new Set(names).size).toBe(names.length);
      expect(names).not.toContain(next?.name);
      const inOrder = values.toSorted((a, b) => a.start - b.start);
      for (const [index, value] of inOrder.entries()) {
        expect(value.start).toBeLessThanOrEqual(value.end);
        expect(value.start).toBeGreaterThanOrEqual(inOrder[index - 1]?.end ?? 0);
      }
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });
});
