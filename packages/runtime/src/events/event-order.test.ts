import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CHANNEL, interactionId, OTHER_CHANNEL, OTHER_USER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { startTestBot, type TestBot } from '../../test/test-bot.js';
import type { EventContext } from './event-context.js';
import { defineEvent } from './define-event.js';

/** A message; `content` is how long its handler takes, in ms, before a name. */
function say(bot: TestBot, content: string, channelId = CHANNEL): void {
  bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER, channelId, content }));
}

/** A bot whose handlers of messages take as long as the message says. */
async function open() {
  const order: string[] = [];
  const bot = await startTestBot({
    'events/message-create.ts': {
      default: defineEvent('MESSAGE_CREATE', async ({ data, clock }) => {
        const [ms = '0', name = ''] = data.content.split(' ');
        order.push(`${name} starts`);
        await clock.sleep(`${Number(ms)}ms`);
        order.push(`${name} ends`);
      }),
    },
    'events/message-delete.ts': { default: () => void order.push('deleted') },
  });
  return { bot, order };
}

describe('the order of events', () => {
  it('is kept within a channel: a slow handler is not overtaken, while other channels continue', async () => {
    const { bot, order } = await open();
    say(bot, '500 a1');
    say(bot, '10 a2');
    say(bot, '100 b1', OTHER_CHANNEL);
    await bot.clock.advance(100);
    expect(order).toEqual(['a1 starts', 'b1 starts', 'b1 ends']);
    await bot.clock.advance(500);
    expect(order.slice(3)).toEqual(['a1 ends', 'a2 starts', 'a2 ends']);
    expect(bot.bot.running).toBe(0);
  });

  it('keeps the asynchronous context of each event', async () => {
    const context = new AsyncLocalStorage<string>();
    onTestFinished(() => context.disable());
    const seen: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', async ({ data, clock }) => {
          seen.push([data.content, context.getStore()]);
          await clock.sleep('1s');
        }),
      },
    });
    for (const name of ['first', 'second', 'third']) context.run(name, () => say(bot, name));
    await bot.clock.advance(3_000);
    expect(seen).toEqual(['first', 'second', 'third'].map((name) => [name, name]));
  });

  it('holds for all events of a channel', async () => {
    const { bot, order } = await open();
    say(bot, '500 a1');
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(1) });
    await bot.clock.advance(500);
    expect(order).toEqual(['a1 starts', 'a1 ends', 'deleted']);
  });

  it('does not hold up commands', async () => {
    const bot = await startTestBot({
      'commands/x.ts': { description: 'x', default: () => 'done' },
      'events/message-create.ts': { default: () => new Promise(() => {}) },
    });
    say(bot, 'first');
    say(bot, 'second');
    bot.type('/x');
    await bot.clock.advance(0);
    expect(bot.lines).toEqual(['respond done']);
  });

  it('starts several handlers of one event in the order of their files, and waits for all of them', async () => {
    const order: string[] = [];
    const handler =
      (name: string, ms: number) =>
      async ({ data, clock }: EventContext<{ readonly content: string }>): Promise<void> => {
        order.push(`${name} ${data.content}`);
        await clock.sleep(`${ms}ms`);
      };
    const bot = await startTestBot({
      'events/message-create/c.ts': { default: handler('c', 10) },
      'events/message-create/a.ts': { default: handler('a', 300) },
      'events/message-create/b.ts': { default: handler('b', 20) },
    });
    say(bot, 'one');
    say(bot, 'two');
    await bot.clock.advance(299);
    expect(order).toEqual(['a one', 'b one', 'c one']);
    await bot.clock.advance(1);
    expect(order.slice(3)).toEqual(['a two', 'b two', 'c two']);
  });

  it('continues after a handler that throws', async () => {
    const received: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: async ({ data, clock }: EventContext<{ readonly content: string }>) => {
          received.push(data.content);
          await clock.sleep('10ms');
          throw new Error('broken');
        },
      },
      'events/error.ts': {
        default: ({ data }: EventContext<{ readonly source: string }>) =>
          void received.push(data.source),
      },
    });
    say(bot, 'one');
    say(bot, 'two');
    await bot.clock.advance(20);
    const file = 'events/message-create.ts';
    expect(received).toEqual(['one', file, 'two', file]);
  });

  it('is abandoned after a minute for a handler that never ends, which is logged', async () => {
    const { bot, order } = await open();
    say(bot, '9000000 a1');
    await bot.clock.advance(120_000);
    say(bot, '0 a2');
    say(bot, '0 a3');
    await bot.clock.advance(59_999);
    expect(order).toEqual(['a1 starts']);
    await bot.clock.advance(1);
    expect(order.slice(1)).toEqual(['a2 starts', 'a2 ends', 'a3 starts', 'a3 ends']);
    expect(bot.log.at('warn')).toEqual([
      `a handler delayed the events of channel ${CHANNEL} for 60 s; continuing without it`,
    ]);
  });

  it('is abandoned after a minute for each of several handlers that never end', async () => {
    const { bot, order } = await open();
    for (const content of ['9000000 a1', '9000000 a2', '9000000 a3', '0 a4']) say(bot, content);
    await bot.clock.advance(180_000);
    expect(order).toEqual(['a1 starts', 'a2 starts', 'a3 starts', 'a4 starts', 'a4 ends']);
  });

  it('queues 1,000 events of a channel, and logs how many more were dropped', async () => {
    const { bot, order } = await open();
    say(bot, '500 first');
    for (let n = 0; n < 1_003; n += 1) say(bot, `0 ${n}`);
    expect(bot.bot.running).toBe(1);
    await bot.clock.advance(500);
    await bot.bot.idle();
    expect(order.filter((line) => line.endsWith('starts'))).toHaveLength(1_001);
    expect(order.at(-1)).toBe('999 ends');
    expect(bot.log.at('error')).toEqual([
      `events of channel ${CHANNEL} arrive faster than they are handled; dropping new ones`,
    ]);
    expect(bot.log.at('warn')).toEqual([
      `dropped 3 events of channel ${CHANNEL}; the events in the queue are handled`,
    ]);
    say(bot, '0 later');
    await bot.clock.advance(0);
    expect(order.at(-1)).toBe('later ends');
  });

  it('asks the gateway to hold events back when too many wait in all channels', async () => {
    const { bot } = await open();
    const channel = (n: number): string => interactionId(10_000 + n);
    for (let n = 0; n < 10; n += 1) say(bot, '500 slow', channel(n));
    for (let n = 0; n < 9_999; n += 1) say(bot, '0 fast', channel(n % 10));
    expect(bot.gateway.busy()).toBeUndefined();
    say(bot, '0 fast', channel(9));
    const room = bot.gateway.busy();
    expect(room).toBeInstanceOf(Promise);
    await bot.clock.advance(500);
    await expect(room).resolves.toBeUndefined();
  });

  it('resumes the gateway only when fewer than 10,000 events wait', async () => {
    const { bot } = await open();
    const channel = (n: number): string => interactionId(10_000 + n);
    // The handler of the first channel ends first, and then makes room for one event a second.
    say(bot, '500 slow', channel(0));
    for (let n = 1; n < 11; n += 1) say(bot, '9000 slow', channel(n));
    for (let n = 0; n < 10_001; n += 1) say(bot, '1000 fast', channel(n % 11));
    let isRoom = false;
    void bot.gateway.busy()?.then(() => (isRoom = true));
    await bot.clock.advance(500);
    expect(isRoom).toBe(false);
    await bot.clock.advance(999);
    expect(isRoom).toBe(false);
    await bot.clock.advance(1);
    expect(isRoom).toBe(true);
  });

  it('is served during a shutdown as far as the time goes; what still waits then is dropped', async () => {
    const { bot, order } = await open();
    for (const content of ['4000 one', '4000 two', '4000 three', '0 four']) say(bot, content);
    const closed = bot.bot.close();
    await bot.clock.advance(15_000);
    await closed;
    expect(order).toEqual(['one starts', 'one ends', 'two starts', 'two ends', 'three starts']);
    expect(bot.bot.running).toBe(0);
    const warnings = bot.log.at('warn');
    await bot.clock.advance(60_000);
    expect(bot.log.at('warn')).toEqual(warnings);
  });
});
