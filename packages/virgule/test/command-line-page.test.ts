import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMON_FLAGS, flagText } from '../src/terminal/help.js';
import { CLI_COMMANDS } from '../src/commands/cli-commands.js';

const page = readFileSync(
  new URL('../../../docs/reference/command-line.md', import.meta.url),
  'utf8',
);

/** The rows of the table with these first heads, by their first cell, without its backticks. */
function table(...heads: string[]): ReadonlyMap<string, readonly string[]> {
  const lines = page.split('\n').map(cellsOf);
  const start = lines.findIndex((cells) => heads.every((head, index) => cells[index] === head));
  expect(start).toBeGreaterThan(0);
  const end = lines.findIndex((cells, index) => index > start && cells.length === 0);
  return new Map(
    lines.slice(start + 2, end).map(([first = '', ...cells]) => [first.replaceAll('`', ''), cells]),
  );
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const names = Object.keys(CLI_COMMANDS);
const load = (name: string) => CLI_COMMANDS[name] ?? expect.fail(name);

describe('docs/reference/command-line.md', () => {
  it.each(names)('has %s among the commands', async (name) => {
    const { words } = load(name);
    expect([...table('command', 'description').keys()]).toContain(
      `virgule ${name} ${words}`.trim(),
    );
  });

  it('has the types of the lines of dev --json, and their fields', () => {
    const source = new URL('../src/dev/ui/dev-report.ts', import.meta.url);
    const [, ...parts] = readFileSync(source, 'utf8').split("readonly type: '");
    const reports = new Map(parts.map((part) => [part.slice(0, part.indexOf("'")), part]));
    const rows = table('`type`', 'meaning');
    expect(new Set(rows.keys())).toEqual(new Set(reports.keys()));
    for (const [type, part] of reports) {
      const fields = Array.from(part.matchAll(/readonly (\w+)\??:/g), ([, name]) => `\`${name}\``);
      expect(fields.filter((field) => !rows.get(type)?.[1]?.includes(field))).toEqual([]);
    }
  });

  it.each(names)('has the exit codes of %s, as in its help', async (name) => {
    const { exits } = load(name);
    const row = table('command', '0').get(`virgule ${name}`);
    expect(row).toBeDefined();
    for (const meaning of Object.values(exits ?? {})) expect(row).toContain(meaning);
  });

  it.each(names)('has the flags of %s', async (name) => {
    const { flags } = load(name);
    const rows = table('flag', 'of');
    for (const [flag, { value }] of Object.entries(flags)) {
      const row = rows.get(flagText(flag, value));
      expect(row?.[0]).toContain(`\`${name}\``);
    }
  });

  it('has no command and no flag that is not there', async () => {
    const commands = [...table('command', 'description').keys()].map((row) => row.split(' ')[1]);
    expect(commands.filter((name) => !names.includes(name ?? ''))).toEqual([]);
    const flags = names
      .map(load)
      .flatMap((command) => Object.keys({ ...command.flags, ...COMMON_FLAGS }));
    for (const row of table('flag', 'of').keys())
      expect(flags).toContain(/--([\w-]+)/.exec(row)?.[1]);
  });
});
