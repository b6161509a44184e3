import { expect, it } from 'vitest';
import { readTypedLine } from '../slash/typed-line.js';
import { lineOfForm } from './line-of-form.js';

const option = (name: string, type: string, required: boolean) => ({
  name,
  description: '',
  type,
  required,
});
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

it.each<[values: Readonly<Record<string, string>>, line: string]>([
  [{}, '/say'],
  [{ text: 'hello' }, '/say hello'],
  [{ text: 'a "b" c' }, String.raw`/say "a \"b\" c"`],
  [{ text: ' x ', times: '3', loud: 'yes' }, '/say x --times 3 --loud'],
  [{ text: 'x', loud: 'no' }, '/say x --no-loud'],
])('writes %j as a line that the bot reads back', (values, line) => {
  expect(lineOfForm(COMMAND, values)).toBe(line);
  const read = readTypedLine(COMMAND.options, line, '/say'.length).values;
  const { text, times, loud } = values;
  expect(Object.fromEntries(read.map((value) => [value.option.name, value.text]))).toEqual({
    ...(text !== undefined && { text: text.includes('"') ? expect.any(String) : text.trim() }),
    ...(times !== undefined && { times }),
    ...(loud !== undefined && { loud: String(loud === 'yes') }),
  });
});
