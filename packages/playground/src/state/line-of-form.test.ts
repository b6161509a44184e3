import { expect, it } from 'vitest';
import { ADA, DJ, GENERAL } from '../../test/sample-world.js';
import { readTypedLine } from '../slash/typed-line.js';
import { lineOfForm } from './line-of-form.js';

const option = (name: string, type: string, required: boolean) => ({
  name,
  description: '',
  type,
  required,
});
/** A role with the name of a user. */
const ADA_ROLE = { ...DJ, id: `${DJ.id.slice(0, -1)}9`, name: ADA.username };
const NAMEABLE = { users: [ADA], channels: [GENERAL], roles: [DJ, ADA_ROLE] };
const COMMAND = {
  id: 'x',
  name: 'say',
  description: '',
  createdAt: '',
  options: [
    option('text', 'string', true),
    option('times', 'integer', false),
    option('loud', 'boolean', false),
  ],
};

it.each<
  [values: Readonly<Record<string, string>>, line: string, read: Readonly<Record<string, string>>]
>([
  [{}, '/say', {}],
  [{ text: 'hello' }, '/say hello', { text: 'hello' }],
  [{ text: 'a "b" c' }, String.raw`/say "a \"b\" c"`, { text: 'a "b" c' }],
  [
    { text: ' x ', times: '3', loud: 'yes' },
    '/say --loud x --times 3',
    { text: 'x', times: '3', loud: 'true' },
  ],
  [{ text: 'x', loud: 'no' }, '/say --no-loud x', { text: 'x', loud: 'false' }],
])('writes %j as a line that the bot reads back', (values, line, expected) => {
  expect(lineOfForm(COMMAND, values, NAMEABLE)).toBe(line);
  const { values: read } = readTypedLine(COMMAND.options, line, '/say'.length);
  expect(Object.fromEntries(read.map(({ option: { name }, text }) => [name, text]))).toEqual(
    expected,
  );
});

it('writes named values before a text that takes the rest of the line', () => {
  const command = {
    ...COMMAND,
    options: [
      option('text', 'string', true),
      { ...option('repeat', 'string', true), description: 'How often (--repeat, once|daily)' },
      option('loud', 'boolean', false),
    ],
  };
  const values = { text: 'water plants', repeat: 'daily', loud: 'yes' };
  expect(lineOfForm(command, values, NAMEABLE)).toBe('/say --repeat daily --loud "water plants"');
});

it.each([
  ['channel', '#general', `<#${GENERAL.id}>`],
  ['user', '@ada', `<@${ADA.id}>`],
  ['role', '@ada', `<@&${ADA_ROLE.id}>`],
  ['mentionable', '@dj', `<@&${DJ.id}>`],
  // The value may be an id, or a value that the bot has to refuse.
  ['role', '@nobody', '@nobody'],
  ['string', '#general', '#general'],
])('writes an option of the type %s with the name %s as %s', (type, typed, word) => {
  const command = { ...COMMAND, options: [option('it', type, true)] };
  expect(lineOfForm(command, { it: typed }, NAMEABLE)).toBe(`/say ${word}`);
});
