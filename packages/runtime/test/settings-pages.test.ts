import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../src/config/config-schema.js';
import { commandSettings, taskSettings } from '../src/load/settings-schema.js';
import { DEFAULT_TEXTS } from '../src/command/texts.js';

const read = (page: string): string =>
  readFileSync(new URL(`../../../docs/guide/${page}.md`, import.meta.url), 'utf8');

/** Returns the names in the first column of the table whose first head is this. */
function namesIn(page: string, head: string, second: string): string[] {
  const lines = read(page).split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${head} +\\| ${second} `).test(line));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines
    .slice(start + 2, end)
    .map((line) => /^\| `(\w+)`/.exec(line)?.[1] ?? line)
    .toSorted();
}

describe('the guide has', () => {
  it('each setting of virgule.config.ts', () => {
    const known = Object.keys(configSchema.shape).toSorted();
    expect(namesIn('configuration', 'key', 'description')).toEqual(known);
  });

  it('each setting of a command', () => {
    const known = Object.keys(commandSettings.shape).toSorted();
    expect(namesIn('commands', 'key', 'values')).toEqual(known);
  });

  it('each setting of a task', () => {
    const known = [...Object.keys(taskSettings.shape), 'payload'].toSorted();
    expect(namesIn('tasks', 'setting', 'meaning')).toEqual(known);
  });

  it('each text of the framework', () => {
    expect(namesIn('errors', 'text', 'condition')).toEqual(Object.keys(DEFAULT_TEXTS).toSorted());
  });
});
