import { afterEach, describe, expect, it, vi } from 'vitest';
import { startCommand, startTestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { EventContext } from '../../events/event-context.js';
import { CHANNEL, OTHER_USER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';

/** Counts how many AbortControllers are made from now on. */
function countControllers(): () => number {
  let made = 0;
  const Plain = AbortController;
  vi.stubGlobal(
    'AbortController',
    class extends Plain {
      constructor() {
        super();
        made += 1;
      }
    },
  );
  return () => made;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a command that answers at once', () => {
  it('makes no signal, sets no timer and makes one call', async () => {
    const bot = await startCommand({ run: ({ options }) => `done ${Object.keys(options).length}` });
    const held = bot.rest.hold('interactions.respond');
    const made = countControllers();
    bot.type('/x');
    expect([bot.lines, bot.clock.pending]).toEqual([['respond done 0'], 0]);
    held.settle();
    await bot.bot.idle();
    expect([made(), bot.lines]).toEqual([0, ['respond done 0']]);
  });

  it('aborts no controller, which would create an error', async () => {
    const abort = vi.spyOn(AbortController.prototype, 'abort');
    const bot = await startCommand({ run: () => 'done' });
    abort.mockClear();
    bot.type('/x');
    await bot.bot.idle();
    expect([bot.lines, abort.mock.calls.length]).toEqual([['respond done'], 0]);
    abort.mockRestore();
  });

  it('is answered before the frame that brought it is done with', async () => {
    const bot = await startCommand({ run: () => 'done' });
    bot.type('/x');
    expect(bot.lines).toEqual(['respond done']);
  });
});

describe('a command that waits', () => {
  it('makes a signal when it takes the rest of its context along: it is a member as any other', async () => {
    const bot = await startCommand({
      run: async ({ options, ...rest }) => {
        await new Promise(() => {});
        return `${Object.keys(options).length} ${rest.channelId}`;
      },
    });
    const made = countControllers();
    bot.type('/x');
    bot.type('/x');
    expect(made()).toBe(2);
  });

  it('shares one timer with all the others', async () => {
    const bot = await startCommand({ run: () => new Promise(() => {}) });
    for (let n = 0; n < 20; n += 1) bot.type('/x');
    expect(bot.clock.pending).toBe(1);
  });

  it('makes none for a handler that takes what it needs', async () => {
    const bot = await startCommand({
      run: async ({ reply }: CommandContext) => {
        await reply('one');
        await new Promise(() => {});
      },
    });
    const made = countControllers();
    bot.type('/x');
    await bot.clock.advance(20_000);
    expect([made(), bot.bot.running]).toEqual([0, 1]);
  });
});

describe('an event', () => {
  it('whose handlers end at once has ended when it was handed over', async () => {
    const received: string[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: ({ data }: EventContext<{ readonly content: string }>) =>
          void received.push(data.content),
      },
    });
    for (const content of ['one', 'two'])
      bot.emit(
        'MESSAGE_CREATE',
        messageWith({ authorId: OTHER_USER, channelId: CHANNEL, content }),
      );
    expect([received, bot.bot.running, bot.clock.pending]).toEqual([['one', 'two'], 0, 0]);
  });

  it('is handed to its handlers as it came, with no copy made', async () => {
    const seen: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: ({ data }: EventContext<unknown>) => void seen.push(data),
      },
    });
    const message = messageWith({ authorId: OTHER_USER });
    bot.emit('MESSAGE_CREATE', message);
    expect(seen[0]).toBe(message);
  });
});
