import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import type { SimMessage } from '@virgule/core/simulator-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestBot } from '../src/testing/create-test-bot.js';
import type { TestBot, TestBotOptions } from '../src/testing/test-bot.js';
import { samplesOf } from './guide-samples.js';
import { createTestProject } from './test-project.js';
import { BOT_TSCONFIG, typeCheck } from './type-check.js';
import { until } from './until.js';

type TimedBot = Omit<TestBot, 'clock'> & { readonly clock: FakeClock };

async function start(
  files: Readonly<Record<string, string>>,
  options: TestBotOptions = {},
): Promise<TimedBot> {
  const project = await createTestProject(files);
  const clock = createFakeClock();
  const bot = await createTestBot({ root: project.root, clock, limit: 'none', ...options });
  onTestFinished(async () => {
    await bot.close();
    await project[Symbol.asyncDispose]();
  });
  return { ...bot, clock };
}

/** A bot with the one command /x. */
const startCommand = (body: string, options?: TestBotOptions): Promise<TimedBot> =>
  start(
    {
      'commands/x.ts': `export default {
        description: 'Test', intents: ['MESSAGE_REACTIONS', 'SERVER_MESSAGES'],
        async run(ctx) { ${body} } };`,
    },
    options,
  );

/** Waits until `check` holds, pushing time a little at each look. */
const untilPushed = <T>(bot: TimedBot, check: () => T, stepMs = 50): Promise<T> =>
  until(async () => {
    await bot.clock.advance(stepMs);
    return check();
  });

/** Messages of the bot, oldest first. */
const written = ({ platform }: Pick<TestBot, 'platform'>): readonly SimMessage[] => {
  const { botUserId } = platform.snapshot().bot;
  return platform.messages().filter(({ authorId }) => authorId === botUserId);
};
const texts = (bot: Pick<TestBot, 'platform'>): readonly string[] =>
  written(bot).map(({ content }) => content);

/** The message of the bot with two reactions of its own under it. */
const asked = (bot: TimedBot): Promise<SimMessage> =>
  untilPushed(bot, () => {
    const found = written(bot).find(({ reactions }) => reactions.length === 2);
    return found ?? expect.fail('nothing was asked yet');
  });

describe('the samples of the docs', () => {
  const pages = ['waiting', 'answers', '../reference/context'];
  // The test of the types of the docs compiles the stored question, whose types a bot declares first.
  const files = Object.fromEntries(
    pages.flatMap((page) =>
      Object.entries(samplesOf(page)).filter(([file]) => !/release/.test(file)),
    ),
  );

  it('are found', () => {
    expect(Object.keys(files).sort()).toEqual(
      ['countdown', 'help', 'lines', 'manual', 'poll', 'quiz', 'report', 'reset', 'story'].map(
        (name) => `commands/${name}.ts`,
      ),
    );
  });

  it('compile', async () => {
    const { root, ...project } = await createTestProject({
      ...files,
      'tsconfig.json': BOT_TSCONFIG,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    expect(await typeCheck(root)).toEqual({ code: 0, output: '' });
  });

  it('stream: states, pieces of text, and a long text in several messages', async () => {
    const bot = await start(files);
    const counted = bot.run('/countdown 2');
    await untilPushed(bot, () => expect(texts(bot)).toEqual(['Lift-off! 🚀']), 250);
    await counted;

    const story = bot.run('/story');
    await untilPushed(bot, () =>
      expect(texts(bot).at(-1)).toBe('Once upon a time there was a bot.'),
    );
    await story;

    const { replies } = await bot.run('/lines');
    expect(replies.length).toBeGreaterThan(2);
    expect(replies.join('\n').split('\n')).toHaveLength(300);
  });

  it('wait: for a yes, a message, reactions and a reader of pages', async () => {
    const bot = await start(files);
    const reset = bot.run('/reset');
    bot.platform.react({ messageId: (await asked(bot)).id, emoji: '✅', as: 'grace' });
    expect((await reset).content).toBe('Started over.');

    const quiz = bot.run('/quiz');
    await untilPushed(bot, () => expect(texts(bot).at(-1)).toContain('capital'));
    bot.platform.sendMessage({ content: 'Paris!', as: 'linus' });
    expect((await quiz).replies.at(-1)).toBe('Right!');

    const poll = bot.run('/poll');
    await untilPushed(bot, () => expect(texts(bot).at(-1)).toBe('React to vote!'));
    const messageId = written(bot).at(-1)?.id ?? '';
    // It shows a moment before the bot knows that it was written, and listens.
    await untilPushed(
      bot,
      () => {
        for (const as of ['ada', 'linus', 'ada']) {
          for (const remove of [true, false])
            bot.platform.react({ messageId, emoji: '👍', as, remove });
        }
        expect(texts(bot).at(-1)).toBe('2 voted.');
      },
      2_000,
    );
    await poll;

    const manual = bot.run('/manual');
    const { id } = await untilPushed(bot, () => {
      const last = written(bot).at(-1);
      expect(last?.reactions).toHaveLength(2);
      return { id: last?.id ?? '' };
    });
    bot.platform.react({ messageId: id, emoji: '▶️' });
    await untilPushed(bot, () => expect(texts(bot).at(-1)).toBe('Page 2: continue'));
    bot.platform.react({ messageId: id, emoji: '▶️', remove: true });
    await untilPushed(bot, () => expect(texts(bot).at(-1)).toBe('Page 3: stop'));
    await untilPushed(bot, () => expect(written(bot).at(-1)?.reactions).toEqual([]), 10_000);
    await manual;
  });

  it('carry files, and print a help', async () => {
    const bot = await start(files);
    expect((await bot.run('/report')).content).toBe('The report:');
    expect(written(bot).at(-1)?.attachments).toMatchObject([{ fileName: 'report.csv' }]);
    expect((await bot.run('/help')).content).toContain('/countdown [from=3]: Count down');
    expect((await bot.run('/help /reset')).content).toBe('/reset: Start over');
  });
});

describe('waiting, on the platform', () => {
  it('finds the question also where the platform does not show what was written', async () => {
    const bot = await startCommand(`return String(await ctx.confirm('Sure?'));`, {
      profile: { messageResponse: 'empty', unicodeEmojiKind: 'standard' },
    });
    const ran = bot.run('/x');
    bot.platform.react({ messageId: (await asked(bot)).id, emoji: '❌' });
    expect((await ran).content).toBe('false');
  });

  it('fails at once without the intent, before anything is asked', async () => {
    const files = {
      'commands/x.ts': `export default { description: 'Test', run: ({ confirm }) => confirm('Sure?').then(String) };`,
    };
    const bot = await start(files, { strict: false });
    expect((await bot.run('/x')).content).toContain('needs the intent MESSAGE_REACTIONS');
    expect(texts(bot)).not.toContain('Sure?');
  });

  it('ends with a message in the channel when the bot is closed', async () => {
    const bot = await startCommand(`await ctx.confirm('Sure?', { within: '10m' });`);
    void bot.run('/x').catch(() => {});
    await asked(bot);
    await bot.close();
    expect(texts(bot)).toEqual([
      'Sure?',
      expect.stringContaining('The bot is restarting. Please try again in a moment.'),
    ]);
  });
});

describe('appending, on the platform', () => {
  it('continues in separate messages, where the platform does not show what was written too', async () => {
    for (const messageResponse of ['message', 'empty'] as const) {
      const bot = await startCommand(
        `const words = Array.from({ length: 600 }, (_, n) => 'word' + n + ' ');
         const messages = await ctx.append((async function* () {
           for (const word of words) { yield word; await ctx.clock.sleep('10ms'); }
         })());
         await messages.at(-1).react('✅');`,
        { profile: { messageResponse } },
      );
      const ran = bot.run('/x');
      await untilPushed(bot, () => expect(written(bot).at(-1)?.reactions).toHaveLength(1), 250);
      await ran;
      expect(texts(bot).length).toBe(3);
      expect(texts(bot).join(' ')).toBe(
        Array.from({ length: 600 }, (_, n) => `word${n}`).join(' '),
      );
    }
  });
});

describe('files, on the platform', () => {
  it('are uploaded while the command is deferred, and come with the answer and with follow-ups', async () => {
    const bot = await startCommand(
      `const slow = (async function* () { await ctx.clock.sleep('2s'); yield 'late bytes'; })();
       await ctx.reply({ content: 'first', files: [{ name: 'slow.txt', data: slow }] });
       await ctx.reply({ content: '', files: [{ name: 'second.txt', data: Buffer.from('2') }] });`,
    );
    const ran = bot.run('/x');
    const state = (): unknown => bot.platform.snapshot().interactions.at(-1)?.state;
    await untilPushed(bot, () => expect(state()).toBe('deferred'));
    await untilPushed(bot, () => expect(state()).toBe('answered'), 200);
    expect((await ran).replies).toEqual(['first', '']);
    expect(written(bot).map(({ attachments }) => attachments[0]?.fileName)).toEqual([
      'slow.txt',
      'second.txt',
    ]);
  });
});
