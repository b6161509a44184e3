import { readFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing.js';
import * as entry from '../src/testing.js';
import { createTestProject } from './test-project.js';

const page = readFileSync(new URL('../../../docs/reference/testing.md', import.meta.url), 'utf8');

/** Returns the names in the first column of the table in a part of the page. */
function namesIn(part: string): string[] {
  const text = page.split(/^## /m).find((one) => one.startsWith(`${part}\n`)) ?? '';
  const cells = [...text.matchAll(/^\| (`.*?`) +\|/gm)].map(([, cell = '']) => cell);
  const names = cells.flatMap((cell) => cell.match(/`\w+/g) ?? []);
  return names.map((name) => name.slice(1)).toSorted();
}

it('docs/reference/testing.md has the members of a test bot, its results and its platform', async () => {
  const project = await createTestProject({
    'commands/ping.ts': `export default { description: 'Test', run: () => 'pong' };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  await using bot = await createTestBot({ root: project.root });
  expect(namesIn('Exports')).toEqual(Object.keys(entry).toSorted());
  expect(namesIn('Bot')).toEqual(Object.keys(bot).toSorted());
  expect(namesIn('bot.platform')).toEqual(Object.keys(bot.platform).toSorted());
  const results = { ...(await bot.say('hi')), ...(await bot.run('/ping')) };
  expect(namesIn('Results')).toEqual(Object.keys(results).toSorted());
});
