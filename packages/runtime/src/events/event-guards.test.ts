import { describe, expect, it } from 'vitest';
import { CHANNEL, MESSAGE, OTHER_USER, SERVER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { loadModules, type Modules } from '../../test/project-of.js';
import { settle, startTestBot } from '../../test/test-bot.js';
import type { EventContext } from './event-context.js';
import { defineEvent } from './define-event.js';
import {
  defineEventErrorHandler,
  defineEventMiddleware,
  type EventMiddleware,
} from './define-event-middleware.js';
import { defineMiddleware } from '../command/define/define-middleware.js';
import { scan } from '../scan/scan.js';

const FAILED = 'events/message-create.ts failed: late';
const OWN = 'events/message-create.ts failed: own';

type Located = { readonly channelId: string };

/** Starts a bot, sends it a message, and waits for its handlers. */
async function deliver(modules: Modules) {
  const bot = await startTestBot(modules);
  bot.emit('MESSAGE_CREATE', messageWith({ id: MESSAGE, authorId: OTHER_USER, content: 'hi' }));
  await bot.bot.idle();
  return bot;
}

describe('the middleware of events', () => {
  it('runs around the handlers of its folder and those below, outermost first', async () => {
    const steps: string[] = [];
    const around = (name: string) => ({
      default: defineEventMiddleware(async ({ event }, next) => {
        steps.push(`${name} ${event}`);
        await next();
        steps.push(`${name} ends`);
      }),
    });
    await deliver({
      'events/_middleware.ts': around('outer'),
      'events/message-create/_middleware.ts': around('inner'),
      'events/message-create/a.ts': { default: () => void steps.push('handler') },
    });
    expect(steps).toEqual([
      'outer MESSAGE_CREATE',
      'inner MESSAGE_CREATE',
      'handler',
      'inner ends',
      'outer ends',
    ]);
  });

  it('keeps a handler from running, and does not run it twice', async () => {
    let runs = 0;
    const modules = (middleware: Parameters<typeof defineEventMiddleware>[0]) => ({
      'events/_middleware.ts': { default: defineEventMiddleware(middleware) },
      'events/message-create.ts': { default: () => void (runs += 1) },
    });
    await deliver(modules(() => {}));
    expect(runs).toBe(0);
    await deliver(modules(async (_context, next) => [await next(), await next()]));
    expect(runs).toBe(1);
  });

  it.each<[string, EventMiddleware, string[]]>([
    ['is lost without await', (_context, next) => void next(), [FAILED]],
    ['is its own to handle', async (_context, next) => next().catch(() => {}), []],
    ['is not hidden by an error of its own', () => Promise.reject(new Error('own')), [OWN]],
  ])('decides about the error of a handler, which %s', async (_name, middleware, logged) => {
    const bot = await deliver({
      'events/_middleware.ts': { default: defineEventMiddleware(middleware) },
      'events/message-create.ts': {
        default: async () => {
          await settle();
          throw new Error('late');
        },
      },
    });
    expect(bot.log.at('error')).toEqual(logged);
  });
});

describe('the error handlers of events', () => {
  const fails = {
    'events/message-create/a.ts': {
      default: () => {
        throw new Error('no luck');
      },
    },
  };

  it('reply with the nearest text, and the error is logged and passed on', async () => {
    const errors: unknown[] = [];
    const bot = await deliver({
      ...fails,
      'events/_error.ts': {
        default: defineEventErrorHandler((error) => `Sorry: ${(error as Error).message}`),
      },
      'events/message-create/_error.ts': { default: defineEventErrorHandler(() => undefined) },
      'events/error.ts': { default: ({ data }: EventContext<unknown>) => void errors.push(data) },
    });
    expect(bot.lines).toEqual(['messages.send Sorry: no luck']);
    expect(bot.rest.calls[0]?.args[1]).toMatchObject({ replyToMessageId: MESSAGE });
    expect(bot.log.at('error')).toEqual(['events/message-create/a.ts failed: no luck']);
    expect(errors).toMatchObject([{ source: 'events/message-create/a.ts' }]);
  });

  it('show nothing with null, and the next outer one is called after one that throws', async () => {
    const handlers = (inner: () => null) => ({
      ...fails,
      'events/_error.ts': { default: defineEventErrorHandler(() => 'outer') },
      'events/message-create/_error.ts': { default: defineEventErrorHandler(inner) },
    });
    expect((await deliver(handlers(() => null))).lines).toEqual([]);
    const bot = await deliver(
      handlers(() => {
        throw new Error('twice');
      }),
    );
    expect(bot.lines).toEqual(['messages.send outer']);
    expect(bot.log.at('error')).toEqual([
      'an error handler of events/message-create/a.ts failed: twice',
      'events/message-create/a.ts failed: no luck',
    ]);
  });
});

describe('the special files of events', () => {
  it('are an error with another name, and the handlers below do not run', () => {
    const files = ['commands/x.ts', 'events/a/_midleware.ts', 'events/message-create.ts'];
    const { manifest, problems } = scan([
      ...files,
      'events/message-create/_Error.ts',
      'events/message-create/a.ts',
    ]);
    expect(problems).toMatchObject([
      { code: 'E_FILE_NAME', location: { file: 'events/a/_midleware.ts' } },
      { code: 'E_FILE_NAME', location: { file: 'events/message-create/_Error.ts' } },
    ]);
    expect(manifest.events.map(({ file }) => file)).toEqual(['events/message-create.ts']);
  });

  it('cannot hold the limits of commands', async () => {
    const { problems } = await loadModules({
      'commands/x.ts': { default: { description: 'X', run: () => 'x' } },
      'events/_middleware.ts': {
        default: defineMiddleware((_context, next) => next(), { cooldown: '5s' }),
      },
      'events/message-create/a.ts': { default: () => {} },
      'events/message-create/b.ts': { default: () => {} },
    });
    expect(problems.map(({ message }) => message)).toEqual([
      'cooldown in events/_middleware.ts must be removed, since events have no limits, saw "5s".',
    ]);
  });
});

describe('an event handler that waits', () => {
  it('confirms with the intent that it declares, as a reply', async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          async ({ confirm, here }) => void (await here.send(String(await confirm('Sure?')))),
          { intents: ['MESSAGE_REACTIONS'] },
        ),
      },
    });
    bot.rest.always('messages.send', (_channel: string, { content }: { content: string }) =>
      messageWith({ id: MESSAGE, content }),
    );
    bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, content: 'hi' }));
    await settle();
    bot.emit('MESSAGE_REACTION_ADD', {
      serverId: SERVER,
      channelId: CHANNEL,
      messageId: MESSAGE,
      userId: OTHER_USER,
      emoji: { kind: 'unicode', unicodeEmoji: '✅' },
      count: 2,
    });
    await bot.bot.idle();
    expect(bot.lines.filter((line) => line.startsWith('messages.send'))).toEqual([
      'messages.send Sure?',
      'messages.send true',
    ]);
  });

  it('receives the next message of its channel, for which its own event is enough', async () => {
    const received: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: async ({ waitForMessage, data }: EventContext<Located & { content: string }>) => {
          if (data.content !== 'ask') return;
          received.push((await waitForMessage({ within: '30s' }))?.content);
        },
      },
    });
    for (const content of ['ask', 'answer']) {
      bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, content }));
      await settle();
    }
    await bot.bot.idle();
    expect(received).toEqual(['answer']);
  });

  it('fails with the line to add when it does not declare the intent', async () => {
    const bot = await deliver({
      'events/message-create.ts': {
        default: ({ confirm }: EventContext<Located>) => confirm('Sure?'),
      },
    });
    expect(bot.log.at('error')).toEqual([
      'events/message-create.ts failed: confirm() of events/message-create.ts needs the intent MESSAGE_REACTIONS, which events/message-create.ts does not declare.',
    ]);
  });

  it('ends with a shutdown, which is no failure', async () => {
    const errors: unknown[] = [];
    const bot = await startTestBot({
      'events/_error.ts': { default: defineEventErrorHandler(() => 'Sorry!') },
      'events/error.ts': { default: ({ data }: EventContext<unknown>) => void errors.push(data) },
      'events/message-create.ts': {
        default: ({ waitForMessage }: EventContext<Located>) => waitForMessage({ within: '1h' }),
      },
    });
    bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, content: 'hi' }));
    await settle();
    await bot.bot.close();
    expect([errors, bot.lines, bot.log.at('error')]).toEqual([[], ['close'], []]);
  });
});
