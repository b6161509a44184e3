import { expect, it } from 'vitest';
import { sampleLine } from './score-bot.js';

const command = (options: readonly (readonly [type: string, required: boolean])[]) => ({
  id: 'x',
  name: 'x',
  description: 'x',
  createdAt: '',
  options: options.map(([type, required]) => ({ name: type, description: '', type, required })),
});

it.each<[options: Parameters<typeof command>[0], line: string | undefined]>([
  [[], '/x'],
  [[['string', false]], '/x'],
  [
    [
      ['string', true],
      ['integer', true],
      ['boolean', true],
    ],
    '/x 1m 3 yes',
  ],
  [[['attachment', true]], '/x http://localhost/a.txt'],
  [[['of-tomorrow', true]], undefined],
])('types a value for each required option: %j', (options, line) => {
  expect(sampleLine(command(options), 'http://localhost/a.txt')).toBe(line);
});
