import { expect, it } from 'vitest';
import { testOf } from './copy-run.js';

it('writes a test of a command and its answer', () => {
  expect(testOf('/say "it\'s"', 'a "b"\nc')).toBe(
    [
      "import { createTestBot } from 'virgule/testing';",
      "import { expect, it, onTestFinished } from 'vitest';",
      '',
      String.raw`it("answers /say \"it's\"", async () => {`,
      '  const bot = await createTestBot();',
      '  onTestFinished(() => bot.close());',
      String.raw`  const { content } = await bot.run("/say \"it's\"");`,
      String.raw`  expect(content).toBe("a \"b\"\nc");`,
      '});',
      '',
    ].join('\n'),
  );
  expect(testOf('/quiet', undefined)).toContain('expect(content).toBeUndefined();');
});
