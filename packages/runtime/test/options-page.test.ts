import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { option } from '../src/options/option.js';
import { readOptions } from '../src/options/read-options.js';
import { parseRawInput } from '../src/command/raw-input/parse-raw-input.js';

const page = readFileSync(new URL('../../../docs/guide/options.md', import.meta.url), 'utf8');

/** The rows of the table whose first head is this, without their backticks. */
function rowsBelow(head: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} `));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => line.split(' | ').map(cellText));
}

const cellText = (cell: string): string => cell.replace(/^\|? *`?|`? *\|?$/g, '');

const AS_LAST = '` as the last option';

/** Evaluates a cell of code; the code is ours. */
const evaluate = (code: string): unknown => runInNewContext(`(${code})`, { z, option });
const plain = (value: unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value));

const EXAMPLES = rowsBelow('schema').map(
  ([schema = '', wire = '', typed = '', value = '']) => [schema, wire, typed, value] as const,
);

describe('the table of docs/guide/options.md', () => {
  it('shows every type of the service, and enough of zod', () => {
    expect(EXAMPLES.length).toBeGreaterThan(25);
    expect(new Set(EXAMPLES.map(([, wire]) => wire)).size).toBe(9);
    for (const name of Object.keys(option)) {
      expect(EXAMPLES.some(([schema]) => schema.includes(`option.${name}(`))).toBe(true);
    }
  });

  it.each(EXAMPLES)('%s is a %s, and %s becomes %s', (schema, wire, typed, value) => {
    const isLast = schema.endsWith(AS_LAST);
    // The row says what the code yields: a schema.
    const field = evaluate(isLast ? schema.slice(0, -AS_LAST.length) : schema) as z.ZodType;
    const fields = isLast ? { it: field } : { it: field, after: z.int().optional() };
    const { spec, problems } = readOptions(z.object(fields), { file: 'commands/x.ts' });
    expect(problems).toEqual([]);
    expect(spec.options[0]?.type).toBe(wire);
    const result = parseRawInput(`/x ${typed}`, { name: 'x', spec });
    expect(result).toMatchObject({ ok: true });
    const options = 'options' in result ? result.options : {};
    expect(plain(options['it'])).toEqual(plain(evaluate(value)));
  });

  it('says of a user, a channel and a role what their text is', () => {
    for (const [schema, , typed] of EXAMPLES.filter(([name]) =>
      /\.(user|channel|role)\(/.test(name),
    )) {
      // As above.
      const field = evaluate(schema) as z.ZodType;
      expect(String(field.parse(typed))).toBe(typed);
    }
  });
});

describe('the words for yes and no in docs/guide/options.md', () => {
  it.each(['true', 'yes', 'on', '1', 'false', 'no', 'off', '0'])('are read: %s', (word) => {
    expect(page).toMatch(new RegExp(`Booleans are [^;]*\`${word}\``, 's'));
    const { spec } = readOptions(z.object({ it: z.boolean() }), { file: 'commands/x.ts' });
    expect(parseRawInput(`/x ${word}`, { name: 'x', spec })).toMatchObject({ ok: true });
  });
});
