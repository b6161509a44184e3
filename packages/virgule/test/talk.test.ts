import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestBot, type TestBot } from '../src/testing.js';
import { createTestProject } from './test-project.js';

/** A bot that takes three seconds for each answer. The answer contains the messages that the bot has read. */
async function start(): Promise<TestBot> {
  const project = await createTestProject({
    'commands/ping.ts': `
      import { defineCommand } from 'virgule';
      export default defineCommand({ description: 'Ping', messages: true, run: () => 'pong' });`,
    'events/message-create.ts': `
      import { defineEvent } from 'virgule';
      export default defineEvent('MESSAGE_CREATE', async ({ skipped, here, append, clock }) => {
        async function* answer() {
          yield 'Reading **' + skipped.length;
          const history = await here.history({ limit: 3, names: true });
          await clock.sleep('3s');
          yield '** ' + JSON.stringify(history);
        }
        await append(answer());
      }, {
        when: ({ content }) => content.startsWith('bot,'),
        burst: '1s',
        overlap: 'abort',
      });`,
  });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root });
  onTestFinished(() => bot.close());
  return bot;
}

const shown = ({ platform }: TestBot): readonly string[] =>
  platform
    .messages()
    .filter(({ authorId }) => authorId === platform.snapshot().bot.botUserId)
    .map(({ content }) => content);

describe('a bot that talks', () => {
  it('answers a burst once, with the history of its channel up to the message', async () => {
    const bot = await start();
    const ada = bot.as('ada');
    const grace = bot.as('grace');
    const said = [grace.say('zero'), ada.say('bot, one'), grace.say('two'), ada.say('bot, three')];
    said.push(grace.say('four'));
    await bot.clock.advance('5s');
    await Promise.all(said);
    const history = [{ role: 'user', content: 'Ada: bot, one\nGrace: two\nAda: bot, three' }];
    expect(shown(bot)).toEqual([`Reading **1** ${JSON.stringify(history)}`]);
  });

  it('is interrupted by a newer message, and never by a command', async () => {
    const bot = await start();
    const ada = bot.as('ada');
    const said = [ada.say('bot, one')];
    await bot.clock.advance('1500ms');
    said.push(ada.say('!ping'));
    await bot.clock.advance('500ms');
    expect(shown(bot)).toEqual(['Reading **0**', 'pong']);
    said.push(ada.say('bot, two'));
    await bot.clock.advance('10s');
    await Promise.all(said);
    const history = [
      { role: 'user', content: 'Ada: !ping' },
      { role: 'assistant', content: 'pong' },
      { role: 'user', content: 'Ada: bot, two' },
    ];
    expect(shown(bot)).toEqual([
      'Reading **0**',
      'pong',
      `Reading **1** ${JSON.stringify(history)}`,
    ]);
  });

  it('leaves the part that was shown when it is killed, and answers the next message once', async () => {
    const bot = await start();
    const ada = bot.as('ada');
    const said = [ada.say('bot, one')];
    await bot.clock.advance('1500ms');
    await bot.restart({ kill: true });
    await bot.clock.advance('10s');
    said.push(ada.say('bot, two'));
    await bot.clock.advance('10s');
    await Promise.allSettled(said);
    expect(shown(bot)).toEqual([
      'Reading **0**',
      expect.stringMatching(/^Reading \*\*0\*\* .*bot, two/),
    ]);
  });
});
