import type { Step } from './conversation.js';

const TEST_KIT = 'virgule/testing';
/** Duration of a command in milliseconds, above which the command has waited for something. */
const SLOW_MS = 1_000;

/** Returns a file with one test, for vitest. */
function testFile(title: string, lines: readonly string[]): string {
  return [
    `import { createTestBot } from '${TEST_KIT}';`,
    "import { expect, it } from 'vitest';",
    '',
    `it(${JSON.stringify(title)}, async () => {`,
    '  await using bot = await createTestBot();',
    ...lines.map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

/** Returns a test of a command and its answer, for vitest. */
export function testOf(rawInput: string, answer: string | undefined): string {
  const expected = answer === undefined ? 'toBeUndefined()' : `toBe(${JSON.stringify(answer)})`;
  return testFile(`answers ${rawInput}`, [
    `const { content } = await bot.run(${JSON.stringify(rawInput)});`,
    `expect(content).${expected};`,
  ]);
}

/** Returns the call for a step in a test, which is a promise. */
function callOf({ user, after, action }: Step, channel: string): string {
  if (action.type === 'advance') return `bot.clock.advance(${JSON.stringify(action.time)})`;
  const actor = `bot.as(${JSON.stringify(user.username)}).in(${channel})`;
  if (action.type === 'say') return `${actor}.say(${JSON.stringify(action.content)})`;
  if (action.type === 'run') return `${actor}.run(${JSON.stringify(action.rawInput)})`;
  const { emoji, to } = action;
  const name = emoji.unicodeEmoji ?? emoji.customEmojiName ?? '';
  // `react` without a message reacts to the newest message.
  const isNewest = to.by === 'user' || to.index === after - 1;
  return `${actor}.react(${JSON.stringify(name)}${isNewest ? '' : `, answers()[${to.index}]`})`;
}

/** Returns a test of the actions of users in a channel and of the messages of the bot there, for vitest. */
export function conversationTest(
  steps: readonly Step[],
  channelName: string,
  texts: readonly string[],
): string {
  const channel = JSON.stringify(`#${channelName}`);
  const lines: string[] = [];
  /** Lines that end a command, after the reactions to it. */
  let ends: readonly string[] = [];
  for (const [index, step] of steps.entries()) {
    const { action } = step;
    const call = callOf(step, channel);
    if (action.type !== 'react') {
      lines.push(...ends);
      ends = [];
    }
    const isSlow = action.type === 'run' && action.tookMs >= SLOW_MS;
    if (action.type === 'run' && (isSlow || steps[index + 1]?.action.type === 'react')) {
      // The command may wait for the reactions, and only the test moves the clock.
      const run = `run${index + 1}`;
      const seconds = Math.ceil(action.tookMs / 1_000);
      lines.push(`const ${run} = ${call};`);
      ends = [...(isSlow ? [`await bot.clock.advance("${seconds}s");`] : []), `await ${run};`];
    } else lines.push(`await ${call};`);
  }
  lines.push(...ends);
  return testFile(`answers as in #${channelName}`, [
    'const { botUserId } = bot.platform.snapshot().bot;',
    'const answers = () =>',
    `  bot.platform.messages(${channel}).filter((message) => message.authorId === botUserId);`,
    ...lines,
    'expect(answers().map(({ content }) => content)).toEqual([',
    ...texts.map((text) => `  ${JSON.stringify(text)},`),
    ']);',
  ]);
}
