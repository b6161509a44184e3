const TEST_KIT = 'virgule/testing';

/** Returns a test of a command and its answer, for vitest. */
export function testOf(rawInput: string, answer: string | undefined): string {
  const expected = answer === undefined ? 'toBeUndefined()' : `toBe(${JSON.stringify(answer)})`;
  return `import { createTestBot } from '${TEST_KIT}';
import { expect, it, onTestFinished } from 'vitest';

it(${JSON.stringify(`answers ${rawInput}`)}, async () => {
  const bot = await createTestBot();
  onTestFinished(() => bot.close());
  const { content } = await bot.run(${JSON.stringify(rawInput)});
  expect(content).${expected};
});
`;
}
