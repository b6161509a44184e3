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

describe('an event handler whose message the platform answers with a fault', () => {
  const CODE = `export default {
    event: 'MESSAGE_CREATE',
    async run({ append, reply, here, channel, clock }) {
      async function* story() {
        yield 'a'.repeat(1_990);
        await clock.sleep('3s');
        yield ' ' + 'b'.repeat(1_990);
      }
      await append(story());
      await reply('reply');
      await channel(here.id).send('send');
    },
  };`;

  it.each([
    ['is cut before it arrives', { type: 'cut', when: 'before' }],
    ['is cut after it arrived', { type: 'cut', when: 'after' }],
    ['fails with 500', { type: 'status', status: 500 }],
    ['fails with 503', { type: 'status', status: 503, body: 'html' }],
    ['arrives and fails with 502', { type: 'status', status: 502, after: true }],
  ] as const)('shows each text once where it %s', async (_what, fault) => {
    await using project = await createTestProject({ 'events/message-create.js': CODE });
    for (const skip of [0, 1, 2, 3]) {
      await using bot = await createTestBot({ root: project.root, strict: false });
      const on = { request: 'messages.send' } as const;
      bot.platform.setFaults({ rules: [{ name: 'x', on, do: fault, skip, times: 1 }] });
      const said = bot.say('hello');
      await bot.clock.advance('1m');
      await said;
      expect(shown(bot).map((text) => text.slice(0, 5))).toEqual([
        'aaaaa',
        'bbbbb',
        'reply',
        'send',
      ]);
    }
  });
});

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

it.each([
  ['is sleeping', `await clock.sleep('1h')`, [RESTARTING]],
  ['says a last word', `try { await clock.sleep('1h') } finally { await reply('Bye.') }`, ['Bye.']],
  ['waits for a message', `await waitForMessage({ within: '1h' })`, []],
  ['has answered', `void clock.sleep('1h').catch(() => {})`, []],
])('an event handler that %s at a shutdown leaves no user waiting', async (_what, wait, ends) => {
  await using project = await createTestProject({
    'events/message-create.js': `export default {
      event: 'MESSAGE_CREATE',
      async run({ reply, waitForMessage, clock }) { await reply('What?'); ${wait}; },
    };`,
  });
  const bot = await createTestBot({ root: project.root });
  const said = bot.say('hello');
  await bot.clock.advance('1s');
  await bot.close();
  await said.catch(() => {});
  expect(shown(bot)).toEqual(['What?', ...ends]);
});
