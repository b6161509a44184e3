import { expect, it } from 'vitest';
import { ADA, GRACE } from '../../test/sample-world.js';
import { conversationTest, testOf } from './copy-run.js';

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
  expect(testOf('/quiet', undefined)).toContain('expect(content).toBeUndefined();');
});

it('writes a test of a conversation', () => {
  const thumb = { kind: 'unicode', unicodeEmoji: '👍' };
  const test = conversationTest(
    [
      { user: ADA, after: 0, action: { type: 'run', rawInput: '/poll "Tea?"', tookMs: 2_100 } },
      {
        user: GRACE,
        after: 1,
        action: { type: 'react', emoji: thumb, to: { by: 'bot', index: 0 } },
      },
      { user: GRACE, after: 1, action: { type: 'say', content: 'ping', replyTo: null } },
      { user: ADA, after: 2, action: { type: 'run', rawInput: '/hello', tookMs: 5 } },
      { user: ADA, after: 3, action: { type: 'react', emoji: thumb, to: { by: 'bot', index: 1 } } },
    ],
    'general',
    ['Tea? 1', 'pong'],
  );
  expect(test.split('\n').slice(4, -1)).toEqual([
    '  await using bot = await createTestBot();',
    '  const { botUserId } = bot.platform.snapshot().bot;',
    '  const answers = () =>',
    '    bot.platform.messages("#general").filter((message) => message.authorId === botUserId);',
    String.raw`  const run1 = bot.as("ada").in("#general").run("/poll \"Tea?\"");`,
    '  await bot.as("grace").in("#general").react("👍");',
    '  await bot.clock.advance("3s");',
    '  await run1;',
    '  await bot.as("grace").in("#general").say("ping");',
    '  const run4 = bot.as("ada").in("#general").run("/hello");',
    '  await bot.as("ada").in("#general").react("👍", answers()[1]);',
    '  await run4;',
    '  expect(answers().map(({ content }) => content)).toEqual([',
    '    "Tea? 1",',
    '    "pong",',
    '  ]);',
    '});',
  ]);
});
