import { describe, expect, it } from 'vitest';
import { BOT_USER, CHANNEL, MESSAGE, OTHER_USER, SERVER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import type { Modules } from '../../test/project-of.js';
import { startTestBot, type TestBotOptions } from '../../test/test-bot.js';
import { createFakeClock } from '@virgule/core/clock';
import { createTestEnvironment } from '../../test/test-environment.js';
import { eventContextOf } from './create-event-context.js';
import type { EventListener } from './event-listener.js';
import { HandlerRun } from './handler-run.js';
import type { EventContext } from './event-context.js';
import { defineEvent, type EventOptions, type Events } from './define-event.js';
import { defineEventErrorHandler } from './define-event-middleware.js';

type OnMessage = (context: EventContext<Events['MESSAGE_CREATE']>) => unknown;

/** A bot with one handler, which receives a message. */
async function receive(
  run: OnMessage,
  options: EventOptions<Events['MESSAGE_CREATE']> = {},
  modules: Modules = {},
  bot: TestBotOptions = {},
) {
  const errors: unknown[] = [];
  const test = await startTestBot(
    {
      'events/message-create.ts': { default: defineEvent('MESSAGE_CREATE', run, options) },
      'events/error.ts': { default: ({ data }: EventContext<unknown>) => void errors.push(data) },
      ...modules,
    },
    bot,
  );
  const write = (): void =>
    test.emit('MESSAGE_CREATE', { ...messageWith({ authorId: OTHER_USER }), serverId: SERVER });
  write();
  return Object.assign(test, { errors, write });
}

const hang = (): Promise<never> => new Promise(() => {});
const LATE = 'messages.send This took too long. Please try again later.';
const FAILED = 'events/message-create.ts failed: events/message-create.ts took longer than its';

describe('an event handler that takes longer than its timeout', () => {
  it('has its signal aborted, has failed, and shows that it took too long', async () => {
    let signal: AbortSignal | undefined;
    const bot = await receive(
      (context) => {
        signal = context.signal;
        return hang();
      },
      { timeout: '30s' },
    );
    await bot.clock.advance(29_999);
    expect([signal?.aborted, bot.lines]).toEqual([false, []]);
    await bot.clock.advance(1);
    await bot.bot.idle();
    expect(signal?.reason).toMatchObject({
      code: 'E_COMMAND_TIMEOUT',
      details: { event: 'MESSAGE_CREATE', file: 'events/message-create.ts', timeoutMs: 30_000 },
    });
    expect(bot.lines).toEqual([LATE]);
    expect(bot.rest.calls[0]?.args.slice(0, 2)).toMatchObject([
      CHANNEL,
      { replyToMessageId: MESSAGE },
    ]);
    expect(bot.log.at('error')).toEqual([`${FAILED} timeout of 30s.`]);
    expect(bot.errors).toMatchObject([{ source: 'events/message-create.ts' }]);
  });

  it('lets the next event of its channel begin', async () => {
    let count = 0;
    const bot = await receive(() => ((count += 1) === 1 ? hang() : Promise.resolve()), {
      timeout: '30s',
    });
    bot.write();
    await bot.clock.advance(30_000);
    await bot.bot.idle();
    expect(count).toBe(2);
    expect(bot.bot.running).toBe(0);
  });

  it('shows the text of the bot, which receives where it is shown', async () => {
    const texts = { timedOut: ({ serverId = '' }) => `late in ${serverId}` };
    const bot = await receive(hang, { timeout: '1s' }, {}, { texts });
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual([`messages.send late in ${SERVER}`]);
  });

  it('shows it after 15 minutes if it has shown something before, and not if it only observes', async () => {
    const observing = await receive(hang);
    await observing.clock.advance(15 * 60_000);
    expect(observing.lines).toEqual([]);
    expect(observing.log.at('error')).toEqual([`${FAILED} timeout of 15m.`]);
    const typing = await receive(async ({ here }) => {
      await here.typing();
      await hang();
    });
    await typing.clock.advance(15 * 60_000);
    expect(typing.lines).toEqual(['channels.typing', LATE]);
  });

  it.each<[string, OnMessage, readonly string[]]>([
    ['throws the reason of its signal', ({ clock }) => clock.sleep('1h'), [LATE]],
    ['returns', ({ clock }) => clock.sleep('1h').catch(() => {}), [LATE]],
    [
      'has the final word',
      ({ clock, reply }) => clock.sleep('1h').catch(() => reply('I give up.')),
      ['messages.send I give up.'],
    ],
    [
      'streams',
      ({ append }) =>
        append(
          (async function* () {
            yield 'Well';
            await hang();
          })(),
        ),
      ['messages.send Well', LATE],
    ],
  ])('%s', async (_how, run, lines) => {
    const bot = await receive(run, { timeout: '30s' });
    await bot.clock.advance(40_000);
    expect(bot.lines).toEqual(lines);
    expect(bot.bot.running).toBe(0);
  });

  it('is left to _error.ts', async () => {
    const codes: unknown[] = [];
    const handler = defineEventErrorHandler((error) => {
      codes.push(Object(error).code);
      return 'The model is slow today.';
    });
    const bot = await receive(
      hang,
      { timeout: '1s' },
      { 'events/_error.ts': { default: handler } },
    );
    await bot.clock.advance(1_000);
    expect(codes).toEqual(['E_COMMAND_TIMEOUT']);
    expect(bot.lines).toEqual(['messages.send The model is slow today.']);
  });

  it('is only logged where there is no channel', async () => {
    const bot = await startTestBot({
      'events/voice-state-update.ts': {
        default: defineEvent('VOICE_STATE_UPDATE', hang, { timeout: '1s' }),
      },
    });
    bot.emit('VOICE_STATE_UPDATE', { serverId: SERVER, channelId: null, userId: OTHER_USER });
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual([]);
    expect(bot.log.at('error')).toHaveLength(1);
  });

  it('sends nothing after it, even if it ignores its signal', async () => {
    let answer: () => void = () => {};
    const bot = await receive(
      async ({ reply }) => {
        await new Promise<void>((resolve) => (answer = resolve));
        await reply('too late');
      },
      { timeout: '1s' },
    );
    await bot.clock.advance(1_000);
    answer();
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual([LATE]);
    expect(bot.log.at('error')).toHaveLength(1);
  });

  it('has its failure logged if the text cannot be sent', async () => {
    const bot = await receive(hang, { timeout: '1s' });
    bot.rest.once('messages.send', new Error('no network'));
    await bot.clock.advance(1_000);
    expect(bot.log.at('error')).toEqual([
      'the end of events/message-create.ts could not be shown: no network',
      `${FAILED} timeout of 1s.`,
    ]);
  });
});

describe('an event handler in time', () => {
  it('has a signal that is not aborted, and work that it leaves running has time', async () => {
    let signal: AbortSignal | undefined;
    const done: string[] = [];
    const bot = await receive(
      async (context) => {
        ({ signal } = context);
        void context.clock.sleep('1h').then(() => done.push('slept'));
      },
      { timeout: '1s' },
    );
    await bot.clock.advance(3_600_000);
    expect([signal?.aborted, done, bot.lines]).toEqual([false, ['slept'], []]);
  });

  it.each([
    ['returns', 0, (): void => {}],
    // The lifetime of the run is created after its end.
    ['returns', 1, (): void => {}],
    ['resolves', 0, async () => {}],
    [
      'throws',
      0,
      () => {
        throw new Error('no luck');
      },
    ],
  ])(
    'is forgotten when it %s and what it left running %i ms later has ended',
    async (_how, delayMs, end) => {
      const clock = createFakeClock();
      const env = createTestEnvironment({ clock });
      const listener: EventListener = {
        event: 'MESSAGE_CREATE',
        file: 'events/message-create.ts',
        own: false,
        once: false,
        order: 'none',
        burstMs: 0,
        timeoutMs: 1_000,
        hasTimeout: false,
        intents: [],
        errorHandlers: [],
        run(context) {
          if (delayMs === 0) void context.clock.sleep('1m');
          else clock.setTimeout(() => void context.clock.sleep('1m'), delayMs);
          return end();
        },
      };
      const run = new HandlerRun(env, listener, {
        data: {},
        channelId: CHANNEL,
        actorId: undefined,
        receivedAtMs: 0,
        recovered: false,
        isOwn: false,
      });
      await run.start(eventContextOf(run));
      await clock.advance(delayMs);
      expect(env.handlerRuns.size).toBe(1);
      await clock.advance(60_000);
      expect(env.handlerRuns.size).toBe(0);
    },
  );

  it('of ready may take as long as the bot runs', async () => {
    let signal: AbortSignal | undefined;
    const bot = await startTestBot({
      'events/ready.ts': {
        default: (context: EventContext<unknown>) => {
          ({ signal } = context);
          return hang();
        },
      },
    });
    await bot.clock.advance(24 * 3_600_000);
    expect(signal?.aborted).toBe(false);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('is stopped by a shutdown, which is no timeout', async () => {
    const bot = await receive(
      ({ clock }) => clock.sleep('1h'),
      { timeout: '12s' },
      {},
      { drainMs: 10_000 },
    );
    const closing = bot.bot.close();
    await bot.clock.advance(20_000);
    await closing;
    expect([bot.lines, bot.log.at('error')]).toEqual([['close'], []]);
  });
});

describe('two bots that answer each other', () => {
  const OTHER_BOT = { authorId: OTHER_USER };

  /** The channel is read too, as this platform responds without the message. */
  const answersOf = ({ lines }: { readonly lines: readonly string[] }) =>
    lines.filter((line) => line.startsWith('messages.send'));

  /** A bot that answers each message, and an author who reacts to each answer after a while. */
  async function talk(pauseMs: number, rounds: number, options: TestBotOptions = {}) {
    const bot = await startTestBot(
      {
        'events/message-create.ts': {
          default: defineEvent('MESSAGE_CREATE', ({ reply }) => reply('ping back')),
        },
      },
      options,
    );
    for (let round = 0; round < rounds; round += 1) {
      bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
      await bot.clock.advance(pauseMs);
    }
    return bot;
  }

  it('are stopped after 10 answers in 10 s, which is in the log once', async () => {
    const bot = await talk(200, 11);
    expect(answersOf(bot)).toHaveLength(10);
    const [warning] = bot.log.at('warn');
    expect(bot.log.at('warn')).toHaveLength(1);
    expect(warning).toBe(
      `Stopped answering ${OTHER_USER} in the channel ${CHANNEL}: 10 answers in 10 s were each answered at once, as only a program does.`,
    );
    expect(bot.log.at('error')).toEqual([]);
    // Others in the channel are answered, and so is this author when they write again.
    bot.emit('MESSAGE_CREATE', messageWith({ authorId: SERVER }));
    await bot.clock.advance(5_000);
    bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
    await bot.clock.advance(0);
    expect(answersOf(bot)).toHaveLength(12);
    for (let round = 0; round < 20; round += 1) {
      bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
      await bot.clock.advance(200);
    }
    expect(bot.log.at('warn')).toHaveLength(1);
  });

  it('are stopped where the reaction arrives before the call returns', async () => {
    const bot = await talk(0, 0);
    bot.rest.always('messages.send', async () => {
      await bot.clock.sleep(5);
      bot.emit('MESSAGE_CREATE', messageWith({ authorId: BOT_USER }));
      await bot.clock.sleep(5);
      bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
      await bot.clock.sleep(400);
    });
    bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
    await bot.clock.advance(30_000);
    expect(answersOf(bot)).toHaveLength(10);
    expect(bot.log.at('warn')).toHaveLength(1);
  });

  it.each([
    ['who reads the answers first', 600],
    ['who writes three times a second without reading', 330],
    ['who needs more than 10 s', 1_200],
  ])('are no author %s', async (_who, pauseMs) => {
    const bot = await talk(pauseMs, 30);
    expect(answersOf(bot)).toHaveLength(30);
  });

  it('are no author who writes while the answers are being sent', async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ reply }) => reply('pong'), { order: 'none' }),
      },
    });
    bot.rest.always('messages.send', () => bot.clock.sleep(600));
    for (let round = 0; round < 30; round += 1) {
      bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
      await bot.clock.advance(400);
    }
    await bot.clock.advance(1_000);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('are no crowd, and no burst that comes before the answers', async () => {
    const bot = await talk(0, 0);
    for (let n = 0; n < 60; n += 1) {
      const authorId = `f06b2e94-7d51-8a3c-9740-0000000000${10 + (n % 20)}`;
      bot.emit('MESSAGE_CREATE', messageWith({ authorId }));
      await bot.clock.advance(50);
    }
    expect(answersOf(bot)).toHaveLength(60);
    const receivedAtMs = bot.clock.monotonic();
    await bot.clock.advance(1);
    for (let n = 0; n < 30; n += 1)
      bot.gateway.emit('MESSAGE_CREATE', messageWith(OTHER_BOT), receivedAtMs);
    await bot.clock.advance(0);
    expect(answersOf(bot)).toHaveLength(90);
  });

  it('are the bot and itself, if it answers its own messages', async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ here }) => here.send('again'), { own: true }),
      },
    });
    for (let round = 0; round < 20; round += 1) {
      bot.emit('MESSAGE_CREATE', messageWith({ authorId: BOT_USER }));
      await bot.clock.advance(10);
    }
    expect(bot.lines.length).toBeLessThan(20);
  });

  it('are stopped by an error that a handler can catch', async () => {
    const codes: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ reply }) =>
          reply('ping back').catch((error: unknown) => void codes.push(Object(error).code)),
        ),
      },
    });
    for (let round = 0; round < 12; round += 1) {
      bot.emit('MESSAGE_CREATE', messageWith(OTHER_BOT));
      await bot.clock.advance(100);
    }
    expect(codes).toEqual(['E_ANSWER_LOOP', 'E_ANSWER_LOOP']);
  });

  it('may continue with loopGuard: false', async () => {
    const bot = await talk(10, 50, { loopGuard: false });
    expect(answersOf(bot)).toHaveLength(50);
  });
});
