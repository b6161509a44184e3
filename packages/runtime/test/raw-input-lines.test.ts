import { assignWords, skipCommandName } from '@virgule/core/raw-input';
import { describe, expect, it } from 'vitest';
import { readOptions } from '../src/options/read-options.js';
import { rawInputCases, rawInputCommands } from './samples/raw-input-cases.js';

const specs = Object.fromEntries(
  Object.entries(rawInputCommands).map(([name, schema]) => [
    name,
    readOptions(schema, { file: `commands/${name}.ts` }).spec.options,
  ]),
);

const commands = Object.entries(specs).map(([name, options]) => [
  name,
  options.map(({ name, type, required, description, take, named, negatable, expected }) => ({
    name,
    type,
    required,
    description,
    take,
    named,
    negatable,
    expected: { kind: expected.kind, choices: expected.choices },
  })),
]);

const lines = rawInputCases.map(({ about, typed, command }) => {
  const name = command ?? /^\s*\/([a-z]+)/.exec(typed)?.[1] ?? '';
  const from = skipCommandName(typed, name);
  const { values, mismatch } = assignWords(typed, from, specs[name] ?? []);
  return {
    about,
    typed,
    command: name,
    values: values.map((value) => value?.typed ?? null),
    mismatch: mismatch?.kind ?? null,
  };
});

/** One row per line, so that a changed case is one changed line. */
const rows = (items: readonly unknown[]): string =>
  items.map((item) => `    ${JSON.stringify(item)}`).join(',\n');

describe('packages/core/test/samples/raw-input-lines.json', () => {
  it('has every case as words assigned to options: run `node packages/tools/write-pages.mjs` to update it', async () => {
    const json = `{\n  "commands": [\n${rows(commands)}\n  ],\n  "lines": [\n${rows(lines)}\n  ]\n}\n`;
    await expect(json).toMatchFileSnapshot('../../core/test/samples/raw-input-lines.json');
  });
});
