import { expect, it } from 'vitest';
import { traceRow } from '../../test/trace-rows.js';
import { curlOf, testOf } from './copy-run.js';

it('writes a test of a command and its answer', () => {
  expect(testOf('/say "it\'s"', 'a "b"\nc')).toBe(
    [
      "import { createTestBot } from 'virgule/testing';",
      "import { expect, it } from 'vitest';",
      '',
      String.raw`it("answers /say \"it's\"", async () => {`,
      '  await using bot = await createTestBot();',
      String.raw`  const { content } = await bot.run("/say \"it's\"");`,
      String.raw`  expect(content).toBe("a \"b\"\nc");`,
      '});',
      '',
    ].join('\n'),
  );
  expect(testOf('/quiet', null)).toContain('expect(content).toBeUndefined();');
});

it.each<[body: string, command: string]>([
  ['', `curl -X POST 'http://x/api/bot/v1/y' \\\n  -H "Authorization: Bot $BOT_TOKEN"`],
  [
    `{"content":"it's"}`,
    String.raw`curl -X POST 'http://x/api/bot/v1/y' \
  -H "Authorization: Bot $BOT_TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"content":"it'\''s"}'`,
  ],
])('writes a request with the body %j for curl', (body, command) => {
  const sections = [{ title: 'Request body', text: body, length: body.length }];
  const detail = { ...traceRow({ what: 'POST /api/bot/v1/y' }), sections };
  expect(curlOf(detail, 'http://x')).toBe(command);
});
