import { getEventListeners } from 'node:events';
import { createFakeClock, createDeadlines } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import {
  BOT_USER,
  CHANNEL,
  interactionId,
  MESSAGE,
  OTHER_USER,
  SERVER,
} from '../../../test/ids.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { settle, startTestBot } from '../../../test/test-bot.js';
import { startWaitBot } from '../../../test/wait-bot.js';
import type { CommandContext } from '../context/command-context.js';
import { Waits } from './waits.js';

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

const REACTION = {
  serverId: SERVER,
  channelId: CHANNEL,
  messageId: MESSAGE,
  userId: OTHER_USER,
  emoji: { kind: 'unicode', unicodeEmoji: '✅' },
  count: 2,
};

const CALLS: readonly [
  string,
  'MESSAGE_REACTIONS' | 'SERVER_MESSAGES',
  (context: CommandContext) => unknown,
][] = [
  ['confirm()', 'MESSAGE_REACTIONS', ({ confirm }) => confirm('Sure?')],
  ['waitForMessage()', 'SERVER_MESSAGES', ({ waitForMessage }) => waitForMessage({ within: '1m' })],
  [
    'reactions()',
    'MESSAGE_REACTIONS',
    ({ reactions }) => reactions(interactionId(1), { within: '1m' }).next(),
  ],
  ['paginate()', 'MESSAGE_REACTIONS', ({ paginate }) => paginate(['1', '2'])],
];

describe.each(CALLS)('%s', (call, intent, wait) => {
  it('without its intent is an error at once, which names the line to add', async () => {
    const bot = await startWaitBot(async (context) => void (await wait(context)), { intents: [] });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    const { details } = bot.log.lines.find(({ level }) => level === 'error') ?? {};
    expect(details?.['err']).toMatchObject({
      code: 'E_INTENT_MISSING',
      message: `${call} of /x needs the intent ${intent}, which commands/x.ts does not declare.`,
      hint: `Add intents: ['${intent}'] to commands/x.ts, next to its other settings.`,
    });
  });

  it('ends with the command when that takes too long', async () => {
    const seen: unknown[] = [];
    const bot = await startTestBot({
      'commands/x.ts': {
        default: {
          description: 'x',
          timeout: '2s',
          intents: [intent],
          run: async (context: CommandContext) => {
            await context.reply('Waiting.');
            await Promise.resolve(wait(context)).catch((error: unknown) => seen.push(error));
          },
        },
      },
    });
    bot.rest.always('interactions.followUp', () => ({ id: interactionId(1) }));
    bot.type('/x');
    await bot.clock.advance(2_000);
    await settle();
    expect(seen).toMatchObject([{ code: 'E_COMMAND_TIMEOUT' }]);
    expect(bot.clock.pending).toBe(0);
  });
});

// Pages that no longer turn need no message.
describe.each(CALLS.filter(([call]) => call !== 'paginate()'))('%s', (call, _intent, wait) => {
  it('ends when the bot shuts down, at once and with a message in the channel, which is no error', async () => {
    const seen: unknown[] = [];
    const bot = await startWaitBot(async (context) => {
      await context.reply('Waiting.');
      await Promise.resolve(wait(context)).catch((error: unknown) => {
        seen.push(error);
        throw error;
      });
    });
    bot.type('/x');
    await settle();
    const closed = bot.bot.close();
    await settle();
    await closed;
    expect(bot.lines.filter((line) => /^(respond|followUp) /.test(line)).at(-1)).toBe(
      `followUp ${RESTARTING}`,
    );
    expect(bot.lines.at(-1)).toBe('close');
    expect(seen).toMatchObject([{ code: 'E_WAIT_CLOSED', details: { call } }]);
    expect(bot.log.at('error')).toEqual([]);
    expect(bot.log.lines.at(-1)?.details['result']).toBe('stopped');
  });
});

// A loop is its own affair: what runs it sees how it ends.
describe.each(CALLS.filter(([call]) => call !== 'reactions()'))('%s', (_call, _intent, wait) => {
  it('that is not awaited ends silently with its command', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    const bot = await startWaitBot((context) => {
      void wait(context);
      return 'done';
    });
    await bot.run('/x');
    await settle();
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

describe('waits', () => {
  it('can be 10,000 at a time, also in one channel; then the command is busy, which is no error', async () => {
    let count = 10_000;
    const failed: unknown[] = [];
    const bot = await startWaitBot(async ({ waitForMessage }) => {
      const waits = Array.from({ length: count }, () => waitForMessage({ within: '1m' }));
      await Promise.all(waits).catch((error: unknown) => {
        failed.push(error);
        throw error;
      });
      return null;
    });
    bot.type('/x');
    await settle();
    expect([failed, bot.lines]).toEqual([[], []]);
    count = 1;
    bot.type('/x');
    await settle();
    expect(failed).toMatchObject([
      {
        code: 'E_TOO_MANY_WAITS',
        message: '/x cannot wait in waitForMessage(): 10000 waits are open already.',
      },
    ]);
    expect(bot.lines).toEqual(['respond /x is busy. Please try again in a moment.']);
    expect(bot.log.lines.at(-1)?.details['result']).toBe('busy');
    // Waits that ended make room.
    bot.say('hello');
    await settle();
    bot.type('/x');
    await settle();
    expect(failed).toHaveLength(1);
  });

  it('leave nothing on the signal of their command', async () => {
    const counts: number[] = [];
    const bot = await startWaitBot(async ({ waitForMessage, signal }) => {
      const listeners = (): number => getEventListeners(signal, 'abort').length;
      const before = listeners();
      for (let n = 0; n < 3; n += 1) {
        await waitForMessage({ within: '1s' });
        counts.push(listeners() - before);
      }
      return null;
    });
    bot.type('/x');
    await settle();
    bot.say('hello');
    await bot.clock.advance(2_000);
    expect(counts).toHaveLength(3);
    expect(new Set(counts).size).toBe(1);
  });

  it('all receive the same event', async () => {
    const reported: unknown[] = [];
    const bot = await startWaitBot(async ({ waitForMessage }) => {
      reported.push((await waitForMessage({ within: '1m' }))?.content);
      return null;
    });
    bot.type('/x');
    bot.type('/x');
    await settle();
    bot.say('hello');
    await bot.bot.idle();
    expect(reported).toEqual(['hello', 'hello']);
  });

  it('do not see a payload that is not as expected, and say so', async () => {
    const bot = await startWaitBot(({ waitForMessage }) =>
      waitForMessage({ within: '5s' }).then(() => null),
    );
    bot.type('/x');
    await settle();
    bot.emit('MESSAGE_CREATE', { channelId: CHANNEL });
    bot.emit('MESSAGE_CREATE', 'no object');
    await settle();
    expect(bot.bot.running).toBe(1);
    expect(bot.log.at('warn')).toEqual([
      'skipped the waits for MESSAGE_CREATE: its payload is invalid',
    ]);
  });

  it('begun while the bot shuts down end at once', async () => {
    const bot = await startWaitBot(async ({ clock, reply, waitForMessage }) => {
      await reply('Wait');
      await clock.sleep('1s');
      await waitForMessage({ within: '1m' });
    });
    bot.type('/x');
    await settle();
    const closed = bot.bot.close();
    await bot.clock.advance(1_000);
    await closed;
    expect(bot.lines).toEqual(['respond Wait', `followUp ${RESTARTING}`, 'close']);
  });

  it('that are closed by another one receive nothing', () => {
    const clock = createFakeClock();
    const waits = new Waits({ clock, deadlines: createDeadlines(clock), log: createRecordedLog() });
    const reported: string[] = [];
    const open = (name: string, onEvent: () => void) =>
      waits.open({
        call: 'confirm()',
        owner: '/x',
        channelId: CHANNEL,
        events: ['MESSAGE_REACTION_ADD'],
        withinMs: 1_000,
        signal: new AbortController().signal,
        since: waits.mark,
        sinceMs: 0,
        read: () => {
          reported.push(name);
          onEvent();
          return undefined;
        },
      });
    open('first', () => second.close());
    const second = open('second', () => {});
    waits.receive('MESSAGE_REACTION_ADD', REACTION, BOT_USER);
    expect(reported).toEqual(['first']);
  });

  it('that were closed show no event that is still remembered, and cannot be extended', async () => {
    const clock = createFakeClock();
    const deadlines = createDeadlines(clock);
    const waits = new Waits({ clock, deadlines, log: createRecordedLog() });
    for (let n = 0; n < 2; n += 1) waits.receive('MESSAGE_REACTION_ADD', REACTION, BOT_USER);
    const reported: string[] = [];
    const wait = waits.open({
      call: 'confirm()',
      owner: '/x',
      channelId: CHANNEL,
      events: ['MESSAGE_REACTION_ADD'],
      withinMs: 1_000,
      signal: new AbortController().signal,
      since: 0,
      sinceMs: 0,
      read: () => {
        reported.push('event');
        wait.close();
        wait.extend();
        return undefined;
      },
    });
    void wait.next().then(() => reported.push('end'));
    await clock.advance(2_000);
    expect(reported).toEqual(['event']);
  });

  it('end with the words that the configuration has for it', async () => {
    const bot = await startWaitBot(
      ({ waitForMessage }) => waitForMessage({ within: '1m' }).then(() => null),
      {
        texts: { waitClosed: 'I am off. Ask me again later.' },
      },
    );
    bot.type('/x');
    await settle();
    const closed = bot.bot.close();
    await settle();
    await closed;
    expect(bot.lines).toEqual(['respond I am off. Ask me again later.', 'close']);
  });

  it('end with the words of an error handler when there is one', async () => {
    const bot = await startTestBot({
      'commands/_error.ts': { default: () => 'Back in a minute.' },
      'commands/x.ts': {
        default: {
          description: 'x',
          intents: ['SERVER_MESSAGES'],
          run: ({ waitForMessage }: CommandContext) => waitForMessage({ within: '1m' }),
        },
      },
    });
    bot.type('/x');
    await settle();
    const closed = bot.bot.close();
    await settle();
    await closed;
    expect(bot.lines).toEqual(['respond Back in a minute.', 'close']);
  });
});
