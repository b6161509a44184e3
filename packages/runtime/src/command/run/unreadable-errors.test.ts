import { describe, expect, it } from 'vitest';
import { CHANNEL, interactionId } from '../../../test/ids.js';
import { startTestBot } from '../../../test/test-bot.js';

const throwing = (): never => {
  throw new TypeError('not for you');
};

class Sealed extends Error {
  override get message(): string {
    return throwing();
  }
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Thrown values, and their texts. */
const THROWN: readonly (readonly [string, () => unknown, string])[] = [
  ['a plain object', () => ({ code: 1 }), '{"code":1}'],
  ['an object without a prototype', () => Object.create(null), '{}'],
  ['a revoked proxy', revoked, 'a value that cannot be read'],
  ['a throwing proxy', () => new Proxy({}, { get: throwing }), 'a value that cannot be read'],
  ['an error with a throwing message getter', () => new Sealed(), 'a value that cannot be read'],
  ['a throwing toString', () => ({ toString: throwing }), 'a value that cannot be read'],
];

const fail = (make: () => unknown) => (): never => {
  throw make();
};
const reject = (make: () => unknown) => (): Promise<never> => Promise.reject(make());

describe.each([false, true])('with development: %s', (development) => {
  describe.each(THROWN)('%s', (_, make, text) => {
    it.each([
      ['a handler throws it', { default: fail(make) }, {}],
      ['a handler rejects with it', { default: reject(make) }, {}],
      [
        'a generator throws it',
        {
          // oxlint-disable-next-line require-yield -- it fails before its first state
          async *default() {
            fail(make)();
          },
        },
        {},
      ],
      [
        'a middleware throws it',
        { default: () => 'never' },
        { 'commands/_middleware.ts': { default: fail(make) } },
      ],
      [
        'an error handler throws it too',
        { default: fail(make) },
        { 'commands/_error.ts': { default: fail(make) } },
      ],
    ])('is one visible outcome and one readable line when %s', async (_place, command, files) => {
      const errors: unknown[] = [];
      const bot = await startTestBot(
        {
          'commands/x.ts': { description: 'Does x', ...command },
          'events/error.ts': { default: ({ data }: { data: unknown }) => void errors.push(data) },
          ...files,
        },
        { development },
      );
      const lines = await bot.run('/x');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/^respond Something went wrong\./);
      expect(lines[0]?.includes(text)).toBe(development);
      expect(bot.log.at('error')).toContain(`/x failed: ${text}`);
      expect(bot.log.lines.filter(({ details }) => 'outcome' in details)).toHaveLength(1);
      expect([bot.bot.running, errors.length]).toEqual([0, 1]);
    });
  });
});

describe.each(THROWN)('%s', (_, make, text) => {
  it('is logged when an event handler throws it, and the others run', async () => {
    const received: string[] = [];
    const bot = await startTestBot({
      'events/message-delete/a.ts': { default: fail(make) },
      'events/message-delete/b.ts': { default: reject(make) },
      'events/message-delete/c.ts': { default: () => void received.push('c') },
    });
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(1) });
    await bot.bot.idle();
    expect(received).toEqual(['c']);
    expect(bot.log.at('error')).toEqual([
      `events/message-delete/a.ts failed: ${text}`,
      `events/message-delete/b.ts failed: ${text}`,
    ]);
  });

  it('is logged when a promise was rejected with it that no one waited for', async () => {
    const bot = await startTestBot({});
    bot.bot.unhandledRejection(make());
    expect(bot.log.at('error')).toEqual([
      expect.stringMatching(new RegExp(`: ${text.replaceAll(/[{}]/g, '\\$&')}$`)),
    ]);
  });
});
