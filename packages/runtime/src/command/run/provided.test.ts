import { describe, expect, it, vi } from 'vitest';
import { CHANNEL, interactionId, OTHER_USER, SERVER } from '../../../test/ids.js';
import { messageWith } from '../../../test/messages.js';
import { settle, startTestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { EventContext } from '../../events/event-context.js';
import { type ServicesRun, givenServices } from '../../services/create-services.js';

/** Services that the test makes when it likes. */
function pending(log: string[] = []) {
  let make: (services: object) => void = () => {};
  let fail: (error: Error) => void = () => {};
  const created = new Promise<object>((resolve, reject) => {
    make = resolve;
    fail = reject;
  });
  created.catch(() => {});
  const close = async (): Promise<void> => void log.push('services closed');
  // The types of the values do not matter here.
  const run = { created, close, [Symbol.asyncDispose]: close } as ServicesRun;
  return { run, make: (services: object) => make(services), fail: (error: Error) => fail(error) };
}

const fromUser = (content: string) => ({
  ...messageWith({ content, authorId: OTHER_USER }),
  serverId: SERVER,
});

describe('services and env', () => {
  const services = { songs: ['one', 'two'] };
  const env = { LANGUAGE: 'en' };

  it('reach commands, middleware, error handlers and events', async () => {
    const seen: [string, unknown, unknown][] = [];
    const note = (
      who: string,
      { services: given, env: values }: CommandContext | EventContext<unknown>,
    ) => void seen.push([who, given, values]);
    const { bot, run } = await startTestBot(
      {
        'commands/_middleware.ts': {
          default: async (context: CommandContext, next: () => Promise<void>) => {
            note('middleware', context);
            await next();
          },
        },
        'commands/_error.ts': {
          default: (_: unknown, context: CommandContext) => {
            note('error handler', context);
            return 'sorry';
          },
        },
        'commands/x.ts': {
          description: 'Fails',
          default: (context: CommandContext) => {
            note('command', context);
            throw new Error('broken');
          },
        },
        'events/shutdown.ts': {
          default: (context: EventContext<unknown>) => note('event', context),
        },
      },
      { services: givenServices(services), env },
    );
    await run('/x');
    await bot.close();
    expect(seen.map(([who]) => who)).toEqual(['middleware', 'command', 'error handler', 'event']);
    for (const [, given, values] of seen) {
      expect(given).toBe(services);
      expect(values).toEqual(env);
    }
  });

  it('are empty objects for a bot that has none', async () => {
    const { run } = await startTestBot({
      'commands/x.ts': {
        description: 'Tells',
        default: ({ services: given, env: values }: CommandContext) =>
          JSON.stringify([given, values]),
      },
    });
    expect(await run('/x')).toEqual(['respond [{},{}]']);
  });
});

describe('services that are still being made', () => {
  const commands = {
    'commands/x.ts': {
      description: 'Tells',
      default: ({ services }: CommandContext) => JSON.stringify(services),
    },
  };

  it('hold commands and events back, and let them go in their order', async () => {
    const { run: services, make } = pending();
    const seen: string[] = [];
    const test = await startTestBot(
      {
        ...commands,
        'events/message-create.ts': {
          default: ({ data }: EventContext<{ content: string }>) => void seen.push(data.content),
        },
        'events/ready.ts': { default: () => void seen.push('ready') },
      },
      { services },
    );
    expect(test.gateway.isOpen).toBe(true);
    test.type('/x');
    test.emit('MESSAGE_CREATE', fromUser('one'));
    test.emit('MESSAGE_CREATE', fromUser('two'));
    await settle();
    expect([test.lines, seen]).toEqual([[], []]);
    make({ db: 1 });
    await settle();
    await test.bot.idle();
    expect(test.lines).toEqual(['respond {"db":1}']);
    expect(seen.filter((what) => what !== 'ready')).toEqual(['one', 'two']);
  });

  it('are waited for as a slow handler is: the command is deferred, and answered when they are there', async () => {
    const { run: services, make } = pending();
    const test = await startTestBot(commands, { services });
    await test.clock.advance(900);
    test.type('/x');
    await test.clock.advance(1_500);
    expect(test.lines).toEqual(['defer']);
    await test.clock.advance(2_100);
    make({ db: 1 });
    await test.clock.advance(0);
    expect(test.lines).toEqual(['defer', 'respond {"db":1}']);
    expect(test.log.at('warn')).toEqual([]);
    expect(test.log.lines.at(-1)?.details).toMatchObject({ result: 'ok', queueMs: 3_600 });
  });

  it('that cannot be made end the command with a text', async () => {
    const { run: services, fail } = pending();
    const test = await startTestBot(commands, { services });
    test.type('/x');
    fail(new Error('no database'));
    await test.bot.idle();
    expect(test.lines).toEqual(['respond Something went wrong.']);
  });

  it('run no handler without them: a bot that is closed meanwhile refuses what waits', async () => {
    const { run: services } = pending();
    const test = await startTestBot(
      { ...commands, 'events/shutdown.ts': { default: () => expect.fail('it has no services') } },
      { services },
    );
    test.type('/x');
    await test.bot.close();
    await settle();
    expect(test.lines.join()).toContain('restarting');
    expect(test.lines.join()).not.toContain('{}');
    expect([...test.log.at('warn'), ...test.log.at('error')]).toEqual([]);
    expect(test.log.lines.at(-1)).toMatchObject({
      message: '/x answered',
      details: { result: 'stopped' },
    });
  });

  it('keep 1,000 events waiting at most, and those that are dropped are logged', async () => {
    const { run: services, make } = pending();
    const seen = vi.fn<() => void>();
    const test = await startTestBot(
      { 'events/message-delete.ts': { default: seen } },
      { services },
    );
    // READY waits among them.
    for (let n = 0; n < 1_000; n += 1)
      test.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(n) });
    make({});
    await settle();
    await test.bot.idle();
    expect(seen).toHaveBeenCalledTimes(999);
    expect(test.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message:
          'dropped an event: the services are not created yet, and too many events wait for them',
        details: { event: 'MESSAGE_DELETE' },
      },
    ]);
  });
});

describe('close', () => {
  it('lets handlers end before it disposes the services, and disconnects after that', async () => {
    const order: string[] = [];
    const { run: services, make } = pending(order);
    make({});
    let finish: () => void = () => {};
    const { bot, type, gateway } = await startTestBot(
      {
        'commands/x.ts': {
          description: 'Takes its time',
          default: async () => {
            await new Promise<void>((resolve) => (finish = resolve));
            order.push('handler ended');
            return 'done';
          },
        },
      },
      { services },
    );
    await settle();
    type('/x');
    await settle();
    const closed = bot.close().then(() => order.push(`disconnected: ${!gateway.isOpen}`));
    await settle();
    expect(order).toEqual([]);
    finish();
    await closed;
    expect(order).toEqual(['handler ended', 'services closed', 'disconnected: true']);
  });
});

describe('locals', () => {
  const write = (name: string, value: unknown) => ({
    default: async ({ locals }: CommandContext, next: () => Promise<void>) => {
      Object.assign(locals, { [name]: value });
      await next();
    },
  });
  const localsOf = ({ locals }: CommandContext): string => JSON.stringify(locals);

  it('are one object for the middleware, the handler and the error handler of an interaction', async () => {
    const seen: unknown[] = [];
    const { run } = await startTestBot({
      'commands/_middleware.ts': write('user', 'ada'),
      'commands/admin/_middleware.ts': write('rank', 3),
      'commands/_error.ts': {
        default: (_: unknown, { locals }: CommandContext) => {
          seen.push(locals);
          return localsOf({ locals } as CommandContext);
        },
      },
      'commands/admin/x.ts': {
        description: 'Fails',
        default: ({ locals }: CommandContext) => {
          seen.push(locals);
          throw new Error('broken');
        },
      },
    });
    expect(await run('/admin-x')).toEqual(['respond {"user":"ada","rank":3}']);
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
    expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
  });

  it('are another object for the next interaction', async () => {
    let count = 0;
    const { run } = await startTestBot({
      'commands/x.ts': {
        description: 'Counts',
        default: (context: CommandContext) => {
          const before = localsOf(context);
          count += 1;
          Object.assign(context.locals, { count });
          return before;
        },
      },
    });
    expect(await run('/x')).toEqual(['respond {}']);
    expect((await run('/x')).at(-1)).toBe('respond {}');
  });
});
