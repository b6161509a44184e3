import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BOT_USER, CHANNEL, interactionId, OTHER_CHANNEL, OTHER_USER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { projectOf } from '../../test/project-of.js';
import { startTestBot, type TestBot } from '../../test/test-bot.js';
import { defineEventErrorHandler } from './define-event-middleware.js';
import { defineEvent, type EventOptions } from './define-event.js';
import type { MessageEvent } from '@virgule/core/protocol';

type Options = EventOptions<MessageEvent>;

function say(bot: TestBot, content: string, channelId = CHANNEL, authorId = OTHER_USER): void {
  bot.emit('MESSAGE_CREATE', messageWith({ authorId, channelId, content }));
}

/** Returns a handler whose runs take a second, or end with their signal, and a record of its runs. */
function recorded(options: Options, ms = 1_000) {
  const runs: string[] = [];
  const handler = defineEvent(
    'MESSAGE_CREATE',
    async ({ data, skipped, clock }) => {
      const { content } = data;
      runs.push([...skipped, data].map((each) => each.content).join('+'));
      try {
        await clock.sleep(`${ms}ms`);
        runs.push(`${content} ends`);
      } catch (error) {
        runs.push(`${content} stops`);
        throw error;
      }
    },
    options,
  );
  return { runs, handler };
}

async function open(options: Options, ms?: number) {
  const { runs, handler } = recorded(options, ms);
  const bot = await startTestBot({ 'events/message-create.ts': { default: handler } });
  return { bot, runs };
}

/** Delivers messages of a queue. Returns the messages that have ended. */
function queue(bot: TestBot, contents: readonly string[]): readonly string[] {
  const ended: string[] = [];
  for (const content of contents)
    bot.gateway.deliver({
      t: 'MESSAGE_CREATE',
      d: messageWith({ authorId: OTHER_USER, content }),
      receivedAtMs: bot.clock.monotonic(),
      queued: { to: 'handlers', isDeferred: false, ended: () => void ended.push(content) },
    });
  return ended;
}

describe('when', () => {
  it('filters events before they wait for their turn', async () => {
    const { bot, runs } = await open({ when: ({ content }) => content.startsWith('bot,') });
    for (const content of ['bot, one', 'two', 'bot, three']) say(bot, content);
    expect(bot.bot.running).toBe(1);
    await bot.clock.advance(2_000);
    expect(runs).toEqual(['bot, one', 'bot, one ends', 'bot, three', 'bot, three ends']);
  });

  it('knows the mention of the bot', async () => {
    const { bot, runs } = await open({ when: ({ content }, me) => content.includes(String(me)) });
    for (const content of ['one', `<@${BOT_USER}> two`]) say(bot, content);
    await bot.clock.advance(2_000);
    expect(runs).toEqual([`<@${BOT_USER}> two`, `<@${BOT_USER}> two ends`]);
  });

  it('keeps the order of a channel for its handler and for the other handlers', async () => {
    const filtered = recorded({ when: ({ content }) => content !== 'two' });
    const all = recorded({});
    const bot = await startTestBot({
      'events/message-create/filtered.ts': { default: filtered.handler },
      'events/message-create/all.ts': { default: all.handler },
    });
    for (const content of ['one', 'two', 'three']) say(bot, content);
    await bot.clock.advance(2_000);
    expect(filtered.runs).toEqual(['one', 'one ends', 'three']);
    expect(all.runs).toEqual(['one', 'one ends', 'two', 'two ends', 'three']);
  });

  it('lets once wait for the first event that it accepts', async () => {
    const { bot, runs } = await open({ once: true, when: ({ content }) => content !== 'one' });
    for (const content of ['one', 'two', 'three']) say(bot, content);
    await bot.clock.advance(2_000);
    expect(runs).toEqual(['two', 'two ends']);
  });

  it('that throws is a failure of its handler, which does not run', async () => {
    const { bot, runs } = await open({
      when: () => {
        throw new Error('broken');
      },
    });
    say(bot, 'one');
    expect(runs).toEqual([]);
    expect(bot.log.at('error')).toEqual(['events/message-create.ts failed: broken']);
  });
});

describe('an async function of JavaScript', () => {
  it.each(['when', 'order'] as const)('is refused as %s', async (key) => {
    // The types refuse it.
    const { bot, runs } = await open({ [key]: (() => Promise.reject(new Error('no'))) as never });
    say(bot, 'one');
    expect(runs).toEqual(key === 'when' ? [] : ['one']);
    expect(bot.log.at('error')).toEqual([
      `events/message-create.ts failed: ${key} in events/message-create.ts must be a function that is not async, saw one that returns a promise.`,
    ]);
  });
});

describe('overlap', () => {
  it("'latest' runs only for the newest of the events that wait, which gets the others as skipped", async () => {
    const { bot, runs } = await open({ overlap: 'latest' });
    for (const content of ['one', 'two', 'three']) say(bot, content);
    say(bot, 'other', OTHER_CHANNEL);
    expect(runs).toEqual(['one', 'other']);
    await bot.clock.advance(1_000);
    expect(runs.slice(2)).toEqual(['one ends', 'two+three', 'other ends']);
    await bot.clock.advance(1_000);
    expect(runs.slice(5)).toEqual(['three ends']);
    expect(bot.bot.running).toBe(0);
  });

  it("'drop' ignores events while the handler runs", async () => {
    const { bot, runs } = await open({ overlap: 'drop' });
    for (const content of ['one', 'two']) say(bot, content);
    await bot.clock.advance(1_000);
    say(bot, 'three');
    await bot.clock.advance(1_000);
    expect(runs).toEqual(['one', 'one ends', 'three', 'three ends']);
  });

  it("'abort' aborts a run within one turn, and starts the newest after it, without an error", async () => {
    const { bot, runs } = await open({ overlap: 'abort' });
    say(bot, 'one');
    say(bot, 'two');
    await bot.clock.advance(0);
    expect(runs).toEqual(['one', 'one stops', 'one+two']);
    say(bot, 'three');
    await bot.clock.advance(1_000);
    expect(runs.slice(3)).toEqual(['two stops', 'one+two+three', 'three ends']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it("'abort' keeps the text of an aborted answer", async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          async ({ data, append, clock }) => {
            async function* text() {
              yield `answer to ${data.content}`;
              await clock.sleep('10s');
              yield ' goes on';
            }
            await append(text());
          },
          { overlap: 'abort' },
        ),
      },
    });
    say(bot, 'one');
    await bot.clock.advance(1_000);
    say(bot, 'two');
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual(['messages.send answer to one', 'messages.send answer to two']);
  });

  it("'abort' waits a minute for a run that ignores its signal", async () => {
    const runs: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          ({ data, skipped }) => {
            runs.push(`${data.content} ${skipped.length}`);
            return new Promise(() => {});
          },
          { overlap: 'abort' },
        ),
      },
    });
    say(bot, 'one');
    await bot.clock.advance(30_000);
    say(bot, 'two');
    await bot.clock.advance(30_000);
    say(bot, 'three');
    await bot.clock.advance(29_999);
    expect(runs).toEqual(['one 0']);
    await bot.clock.advance(1);
    expect(runs).toEqual(['one 0', 'three 2']);
    expect(bot.log.at('warn')).toEqual([
      `a handler delayed the events of channel ${CHANNEL} for 60 s; continuing without it`,
    ]);
  });

  it("'abort' is no failure, whatever error a call of the aborted run throws", async () => {
    const shown: unknown[] = [];
    const bot = await startTestBot({
      'events/_error.ts': { default: defineEventErrorHandler((error) => void shown.push(error)) },
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          ({ signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(new Error('canceled')));
            }),
          { overlap: 'abort' },
        ),
      },
    });
    for (const content of ['one', 'two']) say(bot, content);
    await bot.clock.advance(0);
    const closed = bot.bot.close();
    await bot.clock.advance(20_000);
    await closed;
    expect([...shown, ...bot.log.at('error')]).toEqual([]);
    const stopped = 'events/message-create.ts was stopped, and threw: canceled';
    expect(bot.log.at('debug')).toEqual([stopped, stopped]);
  });

  it("'abort' aborts a run of replaced code, and starts the newest event with the new code", async () => {
    const { bot, runs } = await open({ overlap: 'abort' });
    say(bot, 'one');
    const next = recorded({ overlap: 'abort' });
    bot.bot.use(await projectOf({ 'events/message-create.ts': { default: next.handler } }));
    await bot.clock.advance(500);
    expect(runs).toEqual(['one']);
    say(bot, 'two');
    await bot.clock.advance(1_000);
    expect(runs).toEqual(['one', 'one stops']);
    expect(next.runs).toEqual(['one+two', 'two ends']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it("'abort' refuses the messages of a run that ignores its signal", async () => {
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          async ({ data, reply }) => {
            await bot.clock.sleep(1_000);
            await reply(`answer to ${data.content}`);
          },
          { overlap: 'abort' },
        ),
      },
    });
    for (const content of ['one', 'two']) say(bot, content);
    await bot.clock.advance(3_000);
    expect(bot.lines).toEqual(['messages.send answer to two']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it("'abort' limits a run that ignores its signal by the timeout, which is only logged", async () => {
    const runs: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          ({ data }) => {
            runs.push(data.content);
            return new Promise(() => {});
          },
          { overlap: 'abort', timeout: '3s' },
        ),
      },
    });
    say(bot, 'one');
    await bot.clock.advance(1_000);
    say(bot, 'two');
    await bot.clock.advance(2_000);
    expect(runs).toEqual(['one', 'two']);
    expect(bot.bot.running).toBe(1);
    expect(bot.lines).toEqual([]);
    expect(bot.log.at('error')).toEqual([
      'events/message-create.ts failed: events/message-create.ts took longer than its timeout of 3s.',
    ]);
  });

  it('does not delay the other handlers of a channel, nor is delayed by them', async () => {
    const own = recorded({ overlap: 'latest' }, 5_000);
    const shared = recorded({}, 1_000);
    const bot = await startTestBot({
      'events/message-create/own.ts': { default: own.handler },
      'events/message-create/shared.ts': { default: shared.handler },
    });
    for (const content of ['one', 'two']) say(bot, content);
    await bot.clock.advance(2_000);
    expect(own.runs).toEqual(['one']);
    expect(shared.runs).toEqual(['one', 'one ends', 'two', 'two ends']);
  });

  it.each(['queue', 'latest'] as const)(
    '%s leaves queued events that have not begun at a shutdown to another process',
    async (overlap) => {
      const { bot, runs } = await open({ overlap }, 60_000);
      const ended = queue(bot, ['one', 'two', 'three']);
      const closed = bot.bot.close();
      await bot.clock.advance(20_000);
      await closed;
      expect(runs).toEqual(['one', 'one stops']);
      expect(ended).toEqual(['one']);
      expect(bot.bot.running).toBe(0);
    },
  );

  it("'abort' holds queued events until the run that replaces theirs has ended", async () => {
    const { bot, runs } = await open({ overlap: 'abort' });
    const ended = queue(bot, ['one', 'two']);
    await bot.clock.advance(0);
    const later = queue(bot, ['three']);
    await bot.clock.advance(999);
    expect(runs.at(-1)).toBe('one+two+three');
    expect([ended, later]).toEqual([[], []]);
    await bot.clock.advance(1);
    expect([ended, later]).toEqual([['one', 'two'], ['three']]);
  });

  it('is by the key of order', async () => {
    const { bot, runs } = await open({ overlap: 'latest', order: ({ authorId }) => authorId });
    const other = interactionId(7);
    for (const [content, author] of [
      ['a1', OTHER_USER],
      ['b1', other],
      ['a2', OTHER_USER],
      ['a3', OTHER_USER],
    ] as const)
      say(bot, content, CHANNEL, author);
    await bot.clock.advance(1_000);
    expect(runs).toEqual(['a1', 'b1', 'a1 ends', 'a2+a3', 'b1 ends']);
  });

  it('does not count messages of the bot itself', async () => {
    const { bot, runs } = await open({ overlap: 'abort' });
    say(bot, 'one');
    say(bot, 'answer', CHANNEL, BOT_USER);
    await bot.clock.advance(1_000);
    expect(runs).toEqual(['one', 'one ends']);
  });
});

describe('burst', () => {
  it('waits until the channel is quiet, and runs once for the newest event', async () => {
    const { bot, runs } = await open({ burst: '1.5s' });
    for (const content of ['one', 'two', 'three']) {
      say(bot, content);
      await bot.clock.advance(1_400);
    }
    expect(runs).toEqual([]);
    expect(bot.bot.running).toBe(0);
    await bot.clock.advance(100);
    expect(runs).toEqual(['one+two+three']);
    expect(bot.bot.running).toBe(1);
    say(bot, 'four');
    await bot.clock.advance(1_499);
    expect(runs.slice(1)).toEqual(['three ends']);
    await bot.clock.advance(1);
    expect(runs.slice(2)).toEqual(['four']);
  });

  it('ends after ten times its duration at the latest, and gets the newest 100 events', async () => {
    const skipped: number[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent(
          'MESSAGE_CREATE',
          (event) => void skipped.push(event.skipped.length, Number(event.skipped[0]?.content)),
          { burst: '1s' },
        ),
      },
    });
    for (let n = 0; n < 111; n += 1) {
      say(bot, `${n}`);
      await bot.clock.advance(90);
    }
    expect(skipped).toEqual([]);
    await bot.clock.advance(10);
    expect(skipped).toEqual([100, 10]);
  });

  it("with overlap: 'abort' aborts the run at once, and then waits for the quiet", async () => {
    const { bot, runs } = await open({ burst: '1.5s', overlap: 'abort' });
    for (const content of ['one', 'two', 'three']) say(bot, content);
    await bot.clock.advance(1_500);
    say(bot, 'four');
    await bot.clock.advance(0);
    expect(runs).toEqual(['one+two+three', 'three stops']);
    say(bot, 'five');
    await bot.clock.advance(1_500);
    expect(runs.slice(2)).toEqual(['one+two+three+four+five']);
  });

  it('does not hold back the events of other channels: of more than 4,000, the oldest ends', async () => {
    const { bot, runs } = await open({ burst: '90s' });
    for (let n = 0; n <= 10_000; n += 1) say(bot, `${n}`, interactionId(n));
    expect(bot.gateway.busy()).toBeUndefined();
    expect([runs.length, runs.at(-1)]).toEqual([6_001, '6000']);
  });

  it('ends at a shutdown: the handler runs at once', async () => {
    const { bot, runs } = await open({ burst: '1m' });
    for (const content of ['one', 'two']) say(bot, content);
    say(bot, 'other', OTHER_CHANNEL);
    const closed = bot.bot.close();
    await bot.clock.advance(1_000);
    await closed;
    expect(runs).toEqual(['one+two', 'other', 'two ends', 'other ends']);
  });

  it('ends at a shutdown, also after a run', async () => {
    const { bot, runs } = await open({ burst: '5s' });
    say(bot, 'one');
    await bot.clock.advance(5_500);
    say(bot, 'two');
    await bot.clock.advance(1_000);
    expect(runs).toEqual(['one', 'one ends']);
    const closed = bot.bot.close();
    await bot.clock.advance(1_000);
    await closed;
    expect(runs.slice(2)).toEqual(['two', 'two ends']);
  });

  it('runs in the asynchronous context of its newest event', async () => {
    const context = new AsyncLocalStorage<string>();
    onTestFinished(() => context.disable());
    const seen: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', () => void seen.push(context.getStore()), {
          burst: '1s',
        }),
      },
    });
    for (const name of ['first', 'second']) context.run(name, () => say(bot, name));
    await bot.clock.advance(1_000);
    expect(seen).toEqual(['second']);
  });

  it('runs the code that its newest event was delivered to, after a reload', async () => {
    const { bot, runs } = await open({ burst: '1s' });
    for (const content of ['one', 'two']) say(bot, content);
    bot.bot.use({ ...bot.bot.project, events: new Map() });
    say(bot, 'three');
    await bot.clock.advance(1_000);
    expect(runs).toEqual(['one+two']);
  });

  it('is one event for a command: a message that runs a command is never part of it', async () => {
    const { runs, handler } = recorded({ burst: '1s' });
    const bot = await startTestBot({
      'commands/x.ts': {
        default: { description: 'Does x', messages: true, run: () => 'done' },
      },
      'events/message-create.ts': { default: handler },
    });
    const createdAt = new Date(bot.clock.now()).toISOString();
    for (const [n, content] of ['one', '!x', `${'<@'}${BOT_USER}> x`, 'two'].entries())
      bot.emit(
        'MESSAGE_CREATE',
        messageWith({ id: interactionId(n), authorId: OTHER_USER, content, createdAt }),
      );
    await bot.clock.advance(1_000);
    // Between two answers with one text, the channel is read.
    expect(bot.lines.filter((line) => line.startsWith('messages.send'))).toHaveLength(2);
    expect(runs).toEqual(['one+two']);
  });

  it('holds a queued event until the run that handles it has ended', async () => {
    const { bot } = await open({ burst: '1s' });
    const ended = queue(bot, ['one', 'two', 'three']);
    await bot.clock.advance(1_999);
    expect(ended).toEqual([]);
    await bot.clock.advance(1);
    expect(ended).toEqual(['one', 'two', 'three']);
  });
});
