import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import { matchers, type ChatMatchers } from './matchers.js';

expect.extend(matchers);

declare module 'vitest' {
  interface Matchers<T> extends ChatMatchers {}
}

async function start(body: string) {
  const project = await createTestProject({
    'commands/x.ts': `export default { description: 'X', async run(ctx) { ${body} } };`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root });
  onTestFinished(() => bot.close());
  return bot;
}

/** Returns the message of a failed expectation. */
function failureOf(expectation: () => void): string {
  try {
    expectation();
  } catch (error) {
    return (error as Error).message;
  }
  return 'it passed';
}

describe('matchers', () => {
  it('match what a command did', async () => {
    const bot = await start(
      `await ctx.clock.sleep('2s'); const sent = await ctx.reply('Hello!'); await sent.react('👋'); await ctx.reply('Bye.');`,
    );
    const ran = bot.run('/x');
    await bot.clock.advance('2s');
    const run = await ran;
    expect(run).toHaveReplied();
    expect(run).toHaveReplied('Hello!');
    expect(run).toHaveReplied(/^Bye/);
    expect(run).not.toHaveReplied('Hello');
    expect(run).toHaveFollowedUp('Bye.');
    expect(run).not.toHaveFollowedUp('Hello!');
    expect(run).toHaveDeferred();
    expect(run).toHaveDeferred({ within: '1500ms' });
    expect(run).not.toHaveDeferred({ within: '1s' });
    expect(run).toHaveReacted();
    expect(run).toHaveReacted('👋');
    expect(run).not.toHaveReacted('👍');
  });

  it('ask for await when they get a promise', async () => {
    const bot = await start(`return 'Hello!';`);
    const run = bot.run('/x') as never;
    for (const fails of [
      () => expect(run).toHaveReplied(),
      () => expect(run).toHaveFollowedUp(),
      () => expect(run).toHaveDeferred(),
      () => expect(run).toHaveReacted(),
      () => expect(run).toHaveCalled('x'),
    ])
      expect(failureOf(fails)).toContain('A matcher got a promise.\nTry:  Await it');
  });

  it('show the chat when they fail', async () => {
    const bot = await start(`return 'Hello!';`);
    const run = await bot.run('/x');
    const chat = '#general\n  ada used /x\n  demo-bot: Hello!';
    expect(failureOf(() => expect(run).toHaveReplied(/bye/))).toBe(
      `The bot was expected to reply /bye/:\n${chat}`,
    );
    expect(failureOf(() => expect(run).not.toHaveReplied('Hello!'))).toBe(
      `The bot was not expected to reply 'Hello!':\n${chat}`,
    );
    expect(failureOf(() => expect(run).toHaveFollowedUp())).toContain('to follow up:\n#general');
    expect(failureOf(() => expect(run).toHaveDeferred({ within: '1s' }))).toContain(
      'to defer within 1s:\n#general',
    );
    expect(failureOf(() => expect(run).toHaveReacted('👍'))).toContain(
      'to react with 👍:\n#general',
    );
  });
});
