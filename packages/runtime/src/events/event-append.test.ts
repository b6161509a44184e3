import { describe, expect, it } from 'vitest';
import { refused } from '../../test/client-failures.js';
import { OTHER_USER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { startTestBot, type TestBot } from '../../test/test-bot.js';
import type { ContextClock } from '../command/context/shared-context.js';
import type { TextSource } from '../command/answer/text-source.js';
import { defineEvent, type EventOptions } from './define-event.js';

/** A bot that answers each message with a source of text. */
async function open(source: (clock: ContextClock) => TextSource, options: EventOptions = {}) {
  const bot = await startTestBot({
    'events/message-create.ts': {
      default: defineEvent(
        'MESSAGE_CREATE',
        async ({ append, clock }) => void (await append(source(clock))),
        options,
      ),
    },
  });
  bot.rest.always('messages.send', messageWith({ content: 'Hello' }));
  const say = (): void => bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER }));
  return { ...bot, say };
}

/** Text of a model that thinks for a while, and later pauses. */
async function* slow(clock: ContextClock, ms: number) {
  await clock.sleep(`${ms}ms`);
  yield 'Hello';
  await clock.sleep('20s');
  yield ' you';
}

async function* parts(text: string, ready?: Promise<void>) {
  await ready;
  yield { type: 'text-delta', text };
}

const answersIn = ({ lines }: TestBot['log']) =>
  lines.filter(({ message }) => message.includes('answered'));

const typed = (lines: readonly string[]): number =>
  lines.filter((line) => line === 'channels.typing').length;

describe('append of an event', () => {
  it('shows that the bot is typing until the first text, if that takes more than half a second', async () => {
    const { say, clock, rest } = await open((own) => slow(own, 12_000));
    say();
    await clock.advance(499);
    expect(rest.lines).toEqual([]);
    await clock.advance(1);
    expect(rest.lines).toEqual(['channels.typing']);
    await clock.advance(40_000);
    expect(rest.lines).toEqual([
      ...Array.from({ length: typed(rest.lines) }, () => 'channels.typing'),
      'messages.send Hello',
      'messages.edit Hello you',
    ]);
    expect(typed(rest.lines)).toBe(3);
  });

  it('shows nothing before a text that is there at once, and continues if the platform refuses', async () => {
    const quick = await open(() => 'Hello');
    quick.say();
    await quick.clock.advance(10_000);
    expect(quick.rest.lines).toEqual(['messages.send Hello']);
    const { say, clock, rest, log } = await open((own) => slow(own, 12_000));
    rest.always('channels.typing', refused(403));
    say();
    await clock.advance(60_000);
    expect(rest.lines).toEqual([
      'channels.typing',
      'messages.send Hello',
      'messages.edit Hello you',
    ]);
    expect(log.at('error')).toEqual([]);
  });

  it('ends the indicator with a model that never writes', async () => {
    const { say, clock, rest, bot } = await open((own) => slow(own, 1_000_000), { timeout: '1m' });
    say();
    await clock.advance(60_100);
    const count = typed(rest.lines);
    expect(count).toBe(13);
    await clock.advance(600_000);
    expect(typed(rest.lines)).toBe(count);
    expect(bot.running).toBe(0);
  });

  it('does not wait for the tokens, and fails with none of their errors', async () => {
    const never = new Promise<never>(() => {});
    const failed = (): Promise<never> => Promise.reject(new Error('no tokens'));
    const throws = (): never => {
      throw new Error('no tokens');
    };
    const cases = [[() => never, 0] as const, [failed, 1] as const, [throws, 1] as const];
    for (const [usage, count] of cases) {
      const { say, clock, bot, log } = await open(() => ({
        stream: parts('Hello'),
        // As with `ai`, the promise is created when it is read.
        get totalUsage() {
          return usage();
        },
      }));
      say();
      await clock.advance(1_000);
      expect([bot.running, log.at('error')]).toEqual([0, []]);
      expect(answersIn(log)).toHaveLength(count);
    }
  });

  it('says in its line that the answer has no text', async () => {
    const { say, clock, log } = await open(() => '');
    say();
    await clock.advance(1_000);
    expect(answersIn(log)).toMatchObject([
      { message: 'events/message-create.ts answered without text' },
    ]);
  });

  it('logs a line with the time of an answer that a newer event stops', async () => {
    const { say, clock, log } = await open(
      (own) => ({
        stream: parts('Hello', own.sleep('20s')),
        totalUsage: new Promise<never>(() => {}),
      }),
      { overlap: 'abort' },
    );
    const file = 'events/message-create.ts';
    say();
    await clock.advance(2_000);
    say();
    await clock.advance(100);
    expect(log.lines.filter(({ message }) => message.includes('answering'))).toEqual([
      {
        level: 'info',
        message: `${file} stopped answering`,
        details: { event: 'MESSAGE_CREATE', file, ms: 2_000 },
      },
    ]);
  });

  it('logs a line with its time, and the tokens if the model reports them', async () => {
    const totalUsage = Promise.resolve({ inputTokens: 31, outputTokens: 7 });
    const { say, clock, log } = await open((own) => ({
      stream: parts('Hello', own.sleep('2s')),
      totalUsage,
    }));
    say();
    await clock.advance(2_000);
    const file = 'events/message-create.ts';
    expect(answersIn(log)).toEqual([
      {
        level: 'info',
        message: `${file} answered`,
        details: { event: 'MESSAGE_CREATE', file, ms: 2_000, inputTokens: 31, outputTokens: 7 },
      },
    ]);
  });
});
