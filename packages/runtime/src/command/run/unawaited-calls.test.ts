import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { settle, startCommand, type TestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';

const TOO_LONG = 'x'.repeat(2_001);
const LOST = 'a message of /x was not sent, and its handler did not wait for it: ';

async function* slowly({ clock }: CommandContext): AsyncGenerator<string> {
  yield 'slowly ';
  await clock.sleep('4s');
  yield 'written';
}

const never = async function* (): AsyncGenerator<string> {
  yield* [];
  await new Promise(() => {});
};

/** Returns the logged lines about lost messages. */
const lost = (bot: TestBot): string[] => bot.log.at('warn').filter((line) => line.startsWith(LOST));

describe('a call that a handler does not wait for', () => {
  it('is waited for: a stream of a sync handler is deferred, and read to its end', async () => {
    const bot = await startCommand({
      run: (context) => {
        void context.append(
          (async function* () {
            await context.clock.sleep('4s');
            yield 'written';
          })(),
        );
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_500);
    expect(bot.lines).toEqual(['defer']);
    await bot.clock.advance(3_000);
    expect([bot.lines, bot.bot.running]).toEqual([['defer', 'respond written'], 0]);
  });

  it('ends with the timeout of the command', async () => {
    const bot = await startCommand({
      timeout: '2s',
      run: ({ append }) => void append(never()),
    });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(bot.lines).toEqual(['defer', 'respond This took too long. Please try again later.']);
    expect(bot.bot.running).toBe(0);
  });

  it('ends with the bot', async () => {
    const bot = await startCommand({ run: ({ append }) => void append(never()) }, { drainMs: 100 });
    bot.type('/x');
    let isClosed = false;
    void bot.bot.close().then(() => (isClosed = true));
    await bot.clock.advance(100);
    expect(isClosed).toBe(true);
    expect(bot.lines).toContain('respond The bot is restarting. Please try again in a moment.');
  });

  it.each<readonly [string, (context: CommandContext) => Promise<string> | string]>([
    [
      'of a sync handler',
      ({ reply }) => {
        void reply({ content: 'files', files: ['cat.png'] });
        return 'done';
      },
    ],
    [
      'of an async handler',
      async ({ reply }) => {
        void reply({ content: 'files', files: ['cat.png'] });
        return 'done';
      },
    ],
  ])('sends its files after the answer %s', async (_, run) => {
    const bot = await startCommand({ run });
    const upload = bot.rest.hold('attachments.uploadAll');
    bot.type('/x');
    await settle();
    expect([bot.lines.at(-1), bot.bot.running]).toEqual(['respond done', 1]);
    upload.settle([{ objectKey: 'key' }]);
    await bot.bot.idle();
    expect(bot.lines.at(-1)).toBe('followUp files');
    expect(lost(bot)).toEqual([]);
  });

  it('continues to stream after the answer', async () => {
    const bot = await startCommand({
      run: (context) => {
        void context.append(slowly(context));
        return 'done';
      },
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect([bot.lines.at(-1), bot.bot.running]).toEqual(['edit slowly written', 0]);
  });

  it.each<readonly [string, (context: CommandContext) => unknown]>([
    [
      'and the handler chose silence',
      ({ reply }) => {
        void reply(TOO_LONG);
        return null;
      },
    ],
    [
      'and the handler answered',
      ({ reply }) => {
        void reply(TOO_LONG);
        return 'done';
      },
    ],
    [
      'long before the handler was done',
      async ({ reply, clock }) => {
        void reply(TOO_LONG);
        await clock.sleep('1s');
        return 'done';
      },
    ],
    [
      'in a stream',
      ({ append }) => {
        void append([7] as unknown as string[]);
        return 'done';
      },
    ],
    ['in an edit', async ({ edit }) => (void edit(TOO_LONG), 'done')],
  ])('is logged when it fails, %s', async (_, run) => {
    // Each test returns what its handler may return.
    const bot = await startCommand({ run: run as () => string });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(lost(bot)).toHaveLength(1);
    expect(bot.bot.running).toBe(0);
  });

  it('is logged when the platform refuses it after the answer', async () => {
    const bot = await startCommand({
      run: ({ reply }) => {
        void reply('one');
        void reply('two');
        return null;
      },
    });
    bot.rest.once('interactions.followUp', refused(403));
    await bot.run('/x');
    expect(lost(bot)).toEqual([`${LOST}POST /a/call was refused with 403: no`]);
  });

  it('is logged when it fails after the command', async () => {
    const bot = await startCommand({
      run: ({ reply, clock }) => {
        void clock.sleep('1s').then(
          () => void reply(TOO_LONG),
          () => void reply(TOO_LONG),
        );
        return 'done';
      },
    });
    await bot.run('/x');
    await bot.clock.advance(2_000);
    expect(lost(bot)).toHaveLength(1);
  });
});

describe('a call that fails', () => {
  it.each<readonly [string, (context: CommandContext) => unknown]>([
    [
      'is waited for and caught',
      async ({ reply }) => {
        await reply(TOO_LONG).catch(() => {});
        return 'done';
      },
    ],
    [
      'is waited for later',
      async ({ reply, clock }) => {
        const replying = reply(TOO_LONG);
        await clock.sleep('1s');
        await replying.catch(() => {});
        return 'done';
      },
    ],
    [
      'is waited for among others',
      async ({ reply }) => {
        await Promise.allSettled([reply(TOO_LONG), reply('one')]);
        return null;
      },
    ],
    ['is the failure of the command', ({ reply }) => void reply(TOO_LONG)],
    ['is given back', ({ reply }) => reply(TOO_LONG)],
  ])('is no lost message when it %s', async (_, run) => {
    // As above.
    const bot = await startCommand({ run: run as () => string });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect([lost(bot), bot.bot.running]).toEqual([[], 0]);
  });
});
