import type { SimTraceDetail } from '@virgule/core/simulator-api';

const TEST_KIT = 'virgule/testing';

/** Returns a test of a command and its answer, for vitest. */
export function testOf(rawInput: string, answer: string | null): string {
  const expected = answer === null ? 'toBeUndefined()' : `toBe(${JSON.stringify(answer)})`;
  return [
    `import { createTestBot } from '${TEST_KIT}';`,
    "import { expect, it } from 'vitest';",
    '',
    `it(${JSON.stringify(`answers ${rawInput}`)}, async () => {`,
    '  await using bot = await createTestBot();',
    `  const { content } = await bot.run(${JSON.stringify(rawInput)});`,
    `  expect(content).${expected};`,
    '});',
    '',
  ].join('\n');
}

/** Returns a string for a POSIX shell. */
const shellWord = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Returns a request of the bot as a command line of curl, with the token in a variable. */
export function curlOf({ what, sections }: SimTraceDetail, origin: string): string {
  const [method = 'GET', path = ''] = what.split(' ', 2);
  const body = sections.find(({ title }) => title === 'Request body')?.text ?? '';
  const parts = [
    `curl -X ${method} ${shellWord(origin + path)}`,
    '-H "Authorization: Bot $BOT_TOKEN"',
    ...(body === '' ? [] : ["-H 'Content-Type: application/json'", `-d ${shellWord(body)}`]),
  ];
  return parts.join(' \\\n  ');
}
