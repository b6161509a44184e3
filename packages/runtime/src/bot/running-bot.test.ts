import type { GatewayGap, GatewayStatus } from '@virgule/client/gateway';
import { describe, expect, it, vi } from 'vitest';
import { gone, unauthorized, unreachable } from '../../test/client-failures.js';
import { READY } from '../../test/fake-gateway.js';
import { CHANNEL, interactionId, MESSAGE, OTHER_USER, SERVER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { projectOf } from '../../test/project-of.js';
import { settle, startCommand, startTestBot } from '../../test/test-bot.js';
import type { CommandContext } from '../command/context/command-context.js';

const RESTARTING = 'respond The bot is restarting. Please try again in a moment.';
const answering = (text: string) => ({
  'commands/x.ts': { description: 'x', default: () => text },
});

describe('createBot', () => {
  it('answers the commands of its project, each in its own interaction', async () => {
    const bot = await startTestBot({
      'commands/a.ts': { description: 'a', default: () => 'from a' },
      'commands/b.ts': { description: 'b', default: () => 'from b' },
    });
    bot.type('/a');
    bot.type('/b');
    await bot.bot.idle();
    expect(bot.rest.calls.map(({ args }) => args)).toEqual([
      [interactionId(1), expect.objectContaining({ content: 'from a' })],
      [interactionId(2), expect.objectContaining({ content: 'from b' })],
    ]);
  });

  it('lets no command wait for another', async () => {
    const bot = await startTestBot({
      'commands/slow.ts': { description: 'slow', default: () => new Promise(() => {}) },
      'commands/fast.ts': { description: 'fast', default: () => 'fast' },
    });
    bot.type('/slow');
    bot.type('/fast');
    await settle();
    expect(bot.lines).toEqual(['respond fast']);
    expect(bot.bot.running).toBe(1);
  });

  it('runs a command once that is delivered twice', async () => {
    let runs = 0;
    const bot = await startCommand({
      run: () => {
        runs += 1;
        return 'done';
      },
    });
    const id = interactionId(7);
    bot.type('/x', { id });
    bot.type('/x', { id });
    await bot.bot.idle();
    bot.type('/x', { id });
    await bot.bot.idle();
    expect([runs, bot.lines]).toEqual([1, ['respond done']]);
    expect(bot.log.at('debug')).toEqual([
      'ignored a command that was delivered twice',
      'ignored a command that was delivered twice',
    ]);
  });

  it('replies that it no longer has the command', async () => {
    const bot = await startTestBot(answering('done'));
    expect(await bot.run('/gone')).toEqual(['respond This bot no longer has a command /gone.']);
    const only = await startCommand({ messages: 'only', run: () => 'ran' });
    expect(await only.run('/x')).toEqual(['respond /x runs only as a message: !x']);
    // Names that every object has are no commands.
    await bot.run('/constructor');
    expect(bot.lines).toHaveLength(2);
    expect(bot.log.at('info').at(-1)).toContain('/constructor was refused');
  });

  it('continues when it cannot send that message', async () => {
    const bot = await startTestBot(answering('done'));
    bot.rest.once('interactions.respond', gone());
    await bot.run('/gone');
    expect(bot.log.at('warn')).toEqual(['/gone could not be refused']);
    expect(await bot.run('/x')).toHaveLength(2);
  });

  it.each([
    [null, ''],
    [undefined, ''],
    ['none', 'none'],
  ])('runs a command whose server is %j', async (serverId, seen) => {
    const bot = await startTestBot({
      'commands/x.ts': {
        description: 'x',
        default: (context: CommandContext) => `in [${context.serverId}]`,
      },
    });
    const ids = { interactionId: interactionId(1), channelId: CHANNEL };
    bot.emit('APPLICATION_COMMAND', { ...ids, serverId, name: 'x', rawInput: '/x' });
    await bot.bot.idle();
    expect(bot.lines).toEqual([`respond in [${seen}]`]);
  });

  it('hands over a message that lacks nullable keys and has another form of time', async () => {
    const seen: unknown[] = [];
    const bot = await startTestBot({
      'events/message-create.ts': {
        default: ({ data }: { data: unknown }) => void seen.push(data),
      },
    });
    const odd = { id: MESSAGE, channelId: CHANNEL, authorId: OTHER_USER, content: 'hi' };
    bot.emit('MESSAGE_CREATE', { ...odd, createdAt: '2026-01-01 10:00' });
    await bot.bot.idle();
    expect(seen).toEqual([expect.objectContaining({ ...odd, createdAt: '2026-01-01 10:00' })]);
  });

  it.each([
    ['without an interaction', { interactionId: undefined }],
    ['with an id that is none', { channelId: 'general' }],
    ['without the typed line', { rawInput: undefined }],
  ])('drops a command %s, and logs it', async (_, part) => {
    const bot = await startTestBot(answering('done'));
    const ids = { interactionId: interactionId(1), serverId: SERVER, channelId: CHANNEL };
    bot.emit('APPLICATION_COMMAND', { ...ids, name: 'x', rawInput: '/x', ...part });
    bot.emit('APPLICATION_COMMAND', null);
    await bot.bot.idle();
    expect(bot.lines).toEqual([]);
    const dropped = 'dropped a command: its payload lacks fields that an answer needs';
    expect(bot.log.at('warn')).toEqual([dropped, dropped]);
  });

  it('runs a command by its alias, with the same limits', async () => {
    const bot = await startCommand({
      aliases: ['y'],
      cooldown: '5s',
      run: () => 'hi',
    });
    for (const line of ['/y', '/x']) {
      bot.type(line);
      await settle();
    }
    expect(bot.lines).toEqual(['respond hi', expect.stringContaining('before you use /x again')]);
  });

  it('takes many commands at a time without a warning of Node.js', async () => {
    const warnings: unknown[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', warn);
    const bot = await startCommand({
      run: async ({ here, signal }) => {
        await Promise.all(
          Array.from({ length: 20 }, (_, n) => {
            signal.addEventListener('abort', () => {});
            return here.send(String(n));
          }),
        );
        await new Promise(() => {});
      },
    });
    for (let n = 0; n < 30; n += 1) bot.type('/x');
    await settle();
    await settle();
    process.off('warning', warn);
    expect(bot.bot.running).toBe(30);
    expect(warnings).toEqual([]);
  });

  it('reports READY to the log and to the ready events, also after a reconnect', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      ...answering('done'),
      'events/ready.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
    });
    bot.gateway.status({ state: 'ready', ready: READY, reconnected: true });
    expect(reported).toEqual([
      { ...READY, reconnected: false },
      { ...READY, reconnected: true },
    ]);
    expect(bot.log.at('info')).toEqual(['Dice is ready', 'Dice is ready']);
  });

  it('reports a lost connection to the reconnect events, as the client logs it', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      ...answering('done'),
      'events/reconnect.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
    });
    const change = { reason: 'no heartbeat', attempt: 2, delayMs: 500 };
    bot.gateway.status({ state: 'reconnecting', ...change });
    expect(reported).toEqual([change]);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('reports a gap to the gap events, as the client logs it', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      ...answering('done'),
      'events/gap.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
    });
    const gap: GatewayGap = {
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-01T00:00:02.500Z',
      ms: 2_500,
      reason: 'closed with code 1006',
      unrecoverable: ['APPLICATION_COMMAND'],
    };
    bot.gateway.status({ state: 'gap', ...gap });
    expect(reported).toEqual([gap]);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('closes itself when the platform ends the connection for good', async () => {
    const onClosed = vi.fn<() => void>();
    const bot = await startTestBot(answering('done'), { onClosed });
    const error = unauthorized();
    bot.gateway.status({ state: 'closed', error });
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledExactlyOnceWith(error));
    expect(bot.gateway.isOpen).toBe(false);
    expect(bot.rest.lines).toEqual(['close']);
    expect(bot.log.at('error')).toEqual([expect.stringContaining('token was refused')]);
  });

  it('closes itself when the platform refuses the token over REST', async () => {
    const onClosed = vi.fn<() => void>();
    const statuses: GatewayStatus[] = [];
    const observer = { status: (status: GatewayStatus) => void statuses.push(status) };
    const bot = await startTestBot(answering('done'), { onClosed, observers: [observer] });
    const error = unauthorized();
    bot.rest.refuseToken(error);
    // At once: a health check must not wait for handlers that still run.
    expect(statuses.at(-1)).toEqual({ state: 'closed', error });
    // The gateway may find it out as well.
    bot.gateway.status({ state: 'closed', error });
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
    expect(bot.gateway.isOpen).toBe(false);
    expect(bot.log.at('error')).toEqual([expect.stringContaining('token was refused')]);
  });

  it('stays when the connection was closed on purpose', async () => {
    const onClosed = vi.fn<() => void>();
    const bot = await startTestBot(answering('done'), { onClosed });
    bot.gateway.status({ state: 'closed' });
    await settle();
    expect(bot.gateway.isOpen).toBe(true);
    expect(onClosed).not.toHaveBeenCalled();
  });
});

describe('Bot.use', () => {
  it('replaces everything in one step; what runs ends as it began', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('1s');
        return 'old';
      },
    });
    bot.type('/x');
    const next = await projectOf(answering('new'));
    bot.bot.use(next);
    expect(bot.bot.project).toBe(next);
    expect(await startAndAdvance()).toEqual(['respond new', 'respond old']);

    async function startAndAdvance() {
      bot.type('/x');
      await bot.clock.advance(1_000);
      return bot.lines;
    }
  });
});

describe('Bot.close', () => {
  it('lets running handlers end, then disconnects', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('9s');
        return 'done';
      },
    });
    bot.type('/x');
    const closed = bot.bot.close();
    await bot.clock.advance(8_999);
    expect([bot.gateway.isOpen, bot.lines]).toEqual([true, ['defer']]);
    await bot.clock.advance(1);
    await closed;
    expect(bot.lines).toEqual(['defer', 'respond done', 'close']);
    expect(bot.gateway.isOpen).toBe(false);
  });

  it('ends at once when nothing runs, and once however often it is called', async () => {
    const bot = await startTestBot(answering('done'));
    const first = bot.bot.close();
    expect(bot.bot.close()).toBe(first);
    await first;
    await bot.bot[Symbol.asyncDispose]();
    expect(bot.lines).toEqual(['close']);
    expect(bot.clock.pending).toBe(0);
  });

  it('refuses new commands in plain words while it waits', async () => {
    let runs = 0;
    const bot = await startCommand({
      run: async ({ clock }) => {
        runs += 1;
        await clock.sleep('5s');
        return 'done';
      },
    });
    bot.type('/x');
    const closed = bot.bot.close();
    bot.type('/x');
    bot.type('/gone');
    await bot.clock.advance(5_000);
    await closed;
    expect(runs).toBe(1);
    expect(bot.lines).toEqual([RESTARTING, RESTARTING, 'defer', 'respond done', 'close']);
  });

  it('starts no handlers of events while it waits', async () => {
    const events: string[] = [];
    const bot = await startTestBot({
      'commands/x.ts': {
        description: 'x',
        default: ({ clock }: CommandContext) => clock.sleep('5s'),
      },
      'events/message-delete.ts': { default: () => void events.push('MESSAGE_DELETE') },
      'events/shutdown.ts': { default: () => void events.push('shutdown') },
    });
    bot.type('/x');
    const closed = bot.bot.close();
    bot.emit('MESSAGE_DELETE', { channelId: CHANNEL, messageId: interactionId(1) });
    await bot.clock.advance(5_000);
    await closed;
    expect(events).toEqual(['shutdown']);
  });

  it('aborts what takes longer than 10 s, and closes the thinking state with a text', async () => {
    let reason: unknown;
    const bot = await startCommand({
      run: ({ signal }) => {
        signal.addEventListener('abort', () => (reason = signal.reason));
        return new Promise(() => {});
      },
    });
    bot.type('/x');
    const closed = bot.bot.close();
    await bot.clock.advance(9_999);
    expect(bot.lines).toEqual(['defer']);
    await bot.clock.advance(1);
    await closed;
    expect(bot.lines).toEqual(['defer', RESTARTING, 'close']);
    expect(reason).toMatchObject({ code: 'E_HANDLER_STOPPED' });
  });

  it('waits for drainMs when that is set', async () => {
    const bot = await startCommand({ run: () => new Promise(() => {}) }, { drainMs: 100 });
    bot.type('/x');
    const closed = bot.bot.close();
    await bot.clock.advance(100);
    await closed;
    expect(bot.lines).toEqual([RESTARTING, 'close']);
  });

  it('has the same deadline for the handlers of the shutdown event', async () => {
    const done: string[] = [];
    const bot = await startTestBot({
      ...answering('done'),
      'events/shutdown.ts': {
        default: async ({ clock }: CommandContext) => {
          await clock.sleep('3s');
          done.push('saved');
        },
      },
    });
    const closed = bot.bot.close();
    await bot.clock.advance(3_000);
    await closed;
    expect(done).toEqual(['saved']);
  });

  it('leaves behind what does not heed its signal', async () => {
    const bot = await startTestBot({
      ...answering('done'),
      'events/ready.ts': { default: () => new Promise(() => {}) },
    });
    const closed = bot.bot.close();
    await bot.clock.advance(15_000);
    await closed;
    expect(bot.gateway.isOpen).toBe(false);
    expect(bot.log.at('warn')).toEqual([
      'gave up on 1 handler that had not ended, or could not deliver an answer',
    ]);
  });

  it('ends in time though commands keep coming and their refusals are slow', async () => {
    const bot = await startTestBot(answering('done'));
    bot.rest.always('interactions.respond', () => new Promise(() => {}));
    bot.type('/x');
    const closed = bot.bot.close();
    for (let second = 0; second < 17; second += 1) {
      bot.type('/x');
      await bot.clock.advance(1_000);
    }
    await closed;
    expect(bot.gateway.isOpen).toBe(false);
  });

  it('ends in time though messages with commands keep coming', async () => {
    const bot = await startCommand({ messages: true, run: () => 'done' });
    bot.rest.always('messages.send', () => new Promise(() => {}));
    const typed = { ...messageWith({ content: '!x', authorId: OTHER_USER }), serverId: SERVER };
    await bot.clock.advance(Date.parse(typed.createdAt) - bot.clock.now());
    let isClosed = false;
    const closed = bot.bot.close().then(() => (isClosed = true));
    for (let n = 1; n <= 4; n += 1) {
      bot.emit('MESSAGE_CREATE', { ...typed, id: interactionId(n) });
      await bot.clock.advance(1_000);
    }
    // Refusals have two seconds, and do not count as handlers that drain.
    expect(isClosed).toBe(true);
    await closed;
  });

  it('closes though the platform is out of reach', async () => {
    const bot = await startCommand({ run: () => new Promise(() => {}) });
    bot.rest.always('interactions.respond', unreachable());
    bot.type('/x');
    const closed = bot.bot.close();
    await bot.clock.advance(15_000);
    await closed;
    expect(bot.log.at('error')).toContain('the answer of /x could not be delivered');
  });

  it('sends what was said to the last commands before it lets go', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('1s');
        return 'done';
      },
    });
    bot.type('/x');
    const closed = bot.bot.close();
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await bot.clock.advance(1_500);
    // The handler of the bot is done, and one refusal is still in flight.
    expect(bot.lines).toEqual([RESTARTING, 'respond done']);
    expect(bot.gateway.isOpen).toBe(false);
    held.settle();
    await closed;
    expect(bot.lines.at(-1)).toBe('close');
  });

  it('drops queued events and stops waiting commands together, and reports each command once', async () => {
    const bot = await startCommand({ run: () => new Promise(() => {}) }, { drainMs: 0 });
    for (let n = 0; n < 3; n += 1) bot.type('/x');
    const closed = bot.bot.close();
    await bot.clock.advance(0);
    await closed;
    expect(bot.lines).toEqual([RESTARTING, RESTARTING, RESTARTING, 'close']);
    const stopped = bot.log.lines.filter(({ details }) => details['result'] === 'stopped');
    expect(stopped).toHaveLength(3);
  });
});
