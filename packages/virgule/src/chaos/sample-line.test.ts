import { expect, it } from 'vitest';
import { sampleLine } from './sample-line.js';

type Specs = Parameters<typeof sampleLine>[1];

const spec = (
  kind: Specs[number]['expected']['kind'],
  more: Partial<Specs[number]['expected']> = {},
) => ({
  required: true,
  input: 'text' as const,
  expected: { kind, bounds: {}, text: '', ...more },
});

it.each<[options: Specs, line: string | undefined]>([
  [[], '/x'],
  [[{ ...spec('text'), required: false }], '/x'],
  [[spec('text'), spec('integer'), spec('boolean'), spec('duration')], '/x 1m 3 yes 1m'],
  [[spec('integer', { bounds: { minimum: 10 } })], '/x 10'],
  [[spec('integer', { bounds: { exclusiveMinimum: 4, multipleOf: 3 } })], '/x 6'],
  [[spec('duration', { bounds: { minimum: 3_600_000 } })], '/x 1h'],
  [
    [spec('text', { bounds: { minLength: 4 } }), spec('text', { bounds: { maxLength: 1 } })],
    '/x 1mmm 1',
  ],
  [[spec('choice', { choices: ['two words', 'b'] })], '/x "two words"'],
  [
    [{ ...spec('list', { bounds: { minItems: 2 } }), item: spec('email') }],
    '/x ada@example.com ada@example.com',
  ],
  [[spec('date', { text: 'a date like 2030-01-31' })], '/x 2030-01-31'],
  [[spec('attachment')], '/x http://localhost/a.txt'],
  [[spec('role')], undefined],
])('types a value for each required option: %j', (options, line) => {
  expect(sampleLine('x', options, 'http://localhost/a.txt')).toBe(line);
});
