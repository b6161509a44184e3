import { isVirguleError } from '@virgule/core/errors';
import type { EndpointName } from '@virgule/core/protocol';
import type { SimEvent } from '@virgule/core/simulator-api';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform } from './open-platform.js';

/** Returns the error that a call throws. */
function thrown(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('startSimulator', () => {
  it('returns the URLs and the tokens of the platform', async () => {
    const { simulator } = await openPlatform();
    const { port } = simulator;
    expect(simulator).toMatchObject({
      page: `http://127.0.0.1:${port}/`,
      baseUrl: `http://127.0.0.1:${port}`,
      gatewayUrl: `ws://127.0.0.1:${port}`,
      token: expect.stringMatching(/^sim-bot-[0-9a-f]{32}$/),
      userToken: expect.stringMatching(/^sim-user-ada-[0-9a-f]{32}$/),
    });
  });

  it('makes the same world from the same seed, and another from another', async () => {
    const [first, second, other] = [
      await openPlatform(),
      await openPlatform(),
      await openPlatform({ seed: 'other' }),
    ];
    const facts = ({ simulator }: typeof first) => ({
      token: simulator.token,
      userToken: simulator.userToken,
      snapshot: simulator.snapshot(),
      messages: simulator.messages('long-history'),
      next: simulator.sendMessage({ content: 'Hello' }),
    });
    expect(facts(first)).toEqual(facts(second));
    expect(other.simulator.token).not.toBe(first.simulator.token);
    expect(other.serverId('Sandbox')).not.toBe(first.serverId('Sandbox'));
  });

  it('starts with the servers, channels and people of the seed', async () => {
    const { simulator } = await openPlatform();
    const { servers, channels, users } = simulator.snapshot();
    expect(
      servers.map(({ name, botIds, memberCount }) => [name, botIds.length, memberCount]),
    ).toEqual([
      ['Sandbox', 1, 6],
      ['Second', 1, 3],
      ['Elsewhere', 0, 2],
    ]);
    const sandbox = channels.filter(({ serverId }) => serverId === servers[0]?.id);
    expect(sandbox.map(({ name, type, visibleToBot }) => [name, type, visibleToBot])).toEqual([
      ['general', 'text', true],
      ['bot-spam', 'text', true],
      ['read-only', 'text', true],
      ['hidden', 'text', false],
      ['long-history', 'text', true],
      ['Lounge', 'voice', true],
      ['Stage', 'voice', true],
    ]);
    expect(users.map(({ username, role, isBot }) => [username, role, isBot])).toEqual([
      ['ada', 'owner', false],
      ['grace', 'moderator', false],
      ['linus', '', false],
      ['margaret', '', false],
      ['otherbot', '', true],
      ['demo-bot', 'bot', true],
    ]);
    expect(simulator.messages('long-history')).toHaveLength(250);
    expect(simulator.messages('general')).toHaveLength(1);
  });

  it('runs a command as the owner, or as anyone, in any channel', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    await platform.register('ask');
    expect(simulator.run({ rawInput: '/ask why' })).toMatchObject({
      commandName: 'ask',
      rawInput: '/ask why',
      userId: platform.userId('ada'),
      channelId: platform.channelId('general'),
    });
    expect(
      simulator.run({ rawInput: ' Ask@demo-bot', as: '@Grace', channel: '#Bot-Spam' }),
    ).toMatchObject({
      rawInput: ' Ask@demo-bot',
      userId: platform.userId('grace'),
      channelId: platform.channelId('bot-spam'),
    });
    const byIds = {
      rawInput: '/ask',
      as: platform.userId('linus'),
      channel: platform.channelId('read-only'),
    };
    expect(simulator.run(byIds)).toMatchObject({
      userId: byIds.as,
      channelId: byIds.channel,
      serverId: platform.serverId('Sandbox'),
    });
  });

  it.each([
    [
      'an unknown command',
      { rawInput: '/nope' },
      'E_SIM_UNKNOWN',
      'Run a registered command: /ask.',
    ],
    ['no command at all', { rawInput: ' ' }, 'E_SIM_UNKNOWN', 'Run a registered command: /ask.'],
    ['an unknown channel', { rawInput: '/ask', channel: 'nope' }, 'E_SIM_UNKNOWN', 'general'],
    ['an unknown user', { rawInput: '/ask', as: 'nope' }, 'E_SIM_UNKNOWN', 'grace'],
    ['a hidden channel', { rawInput: '/ask', channel: 'hidden' }, 'E_SIM_REFUSED', 'bot_not_found'],
    [
      'a voice channel',
      { rawInput: '/ask', channel: 'Lounge' },
      'E_SIM_REFUSED',
      'bot_validation_error',
    ],
  ])('refuses to run %s', async (_what, input, code, hint) => {
    const platform = await openPlatform();
    await platform.register('ask');
    const error = thrown(() => platform.simulator.run(input));
    expect(isVirguleError(error, code)).toBe(true);
    expect(error).toMatchObject({ hint: expect.stringContaining(hint), kind: 'user' });
    expect(platform.simulator.snapshot().interactions).toEqual([]);
  });

  it('says to register a command when there are none', async () => {
    const { simulator } = await openPlatform();
    const error = thrown(() => simulator.run({ rawInput: '/ask' }));
    expect(error).toMatchObject({
      message: 'No registered command matches "/ask".',
      hint: 'Register a command first. Commands that run as messages, such as !daily, are written with `say`.',
    });
  });

  it('writes messages as users, and refuses what the platform would', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    expect(simulator.sendMessage({ content: 'Hi', as: 'otherbot' })).toMatchObject({
      authorUsername: 'otherbot',
      interactionId: null,
    });
    const tooLong = thrown(() => simulator.sendMessage({ content: 'x'.repeat(2001) }));
    expect(tooLong).toMatchObject({
      code: 'E_SIM_REFUSED',
      details: { code: 'bot_validation_error' },
    });
    const stranger = {
      content: 'Hi',
      as: 'linus',
      channel: platform.channelId('general', 'Second'),
    };
    expect(thrown(() => simulator.sendMessage(stranger))).toMatchObject({ code: 'E_SIM_REFUSED' });
  });

  it('reacts as users, takes it back, and refuses what the platform would', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    const { id: messageId } = simulator.sendMessage({ content: 'Hi' });
    const emoji = '👍';
    simulator.react({ messageId, emoji });
    expect(simulator.react({ messageId, emoji, as: 'grace' })).toMatchObject({
      reactions: [{ emoji: { unicodeEmoji: emoji }, count: 2 }],
    });
    expect(simulator.react({ messageId, emoji, remove: true })).toMatchObject({
      reactions: [{ count: 1 }],
    });
    for (const input of [
      { messageId, emoji: 'no emoji' },
      { messageId: 'nope', emoji },
    ]) {
      expect(thrown(() => simulator.react(input))).toMatchObject({ code: 'E_SIM_REFUSED' });
    }
    expect(thrown(() => simulator.react({ messageId, emoji, as: 'unknown' }))).toMatchObject({
      code: 'E_SIM_UNKNOWN',
    });
  });

  it('defers for a bot that is not there, whose next call counts as the first', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    await platform.register('ask');
    const call = (name: EndpointName, interactionId: string, content?: string) =>
      platform.call(name, { interactionId }, { body: content && { content } });
    const deferred = (): string => {
      const { id } = simulator.run({ rawInput: '/ask' });
      simulator.defer(id);
      return id;
    };
    const ids = [deferred(), deferred(), deferred(), deferred()] as const;
    const seen = () => ids.map((id) => [simulator.hasCall(id), simulator.interaction(id)?.state]);
    expect(seen()).toEqual(ids.map(() => [false, 'deferred']));
    await call('interactions.ack', ids[0]);
    await call('interactions.defer', ids[1]);
    await call('interactions.followUp', ids[2], 'more');
    await call('interactions.respond', ids[3], 'done');
    const states = ['acknowledged', 'deferred', 'deferred', 'answered'];
    expect(seen()).toEqual(states.map((state) => [true, state]));
    // The thinking state now belongs to the bot.
    await call('interactions.ack', ids[1]);
    expect(simulator.interaction(ids[1])?.state).toBe('deferred');
  });

  it('defers and answers as the bot, and refuses what the platform would', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    await platform.register('ask');
    const { id } = simulator.run({ rawInput: '/ask' });
    simulator.defer(id);
    expect(simulator.interaction(id)).toMatchObject({ state: 'deferred', wasDeferred: true });
    expect(simulator.respond(id, 'Later')).toMatchObject({ content: 'Later', interactionId: id });
    expect(simulator.interaction(id)).toMatchObject({ state: 'answered' });
    const refused = { code: 'E_SIM_REFUSED' };
    expect(thrown(() => simulator.respond(id, 'Twice'))).toMatchObject(refused);
    expect(thrown(() => simulator.defer('nope'))).toMatchObject(refused);
    const { id: next } = simulator.run({ rawInput: '/ask' });
    expect(thrown(() => simulator.respond(next, 'x'.repeat(2001)))).toMatchObject(refused);
  });

  it('notifies its listeners until they are removed, and survives those that throw', async () => {
    const errors: string[] = [];
    const ignore = (): void => {};
    const { simulator } = await openPlatform({
      log: {
        debug: ignore,
        info: ignore,
        warn: ignore,
        error: (_details, message) => errors.push(message),
      },
    });
    const events: SimEvent[] = [];
    simulator.on(() => {
      throw new Error('not my day');
    });
    const stop = simulator.on((event) => events.push(event));
    simulator.sendMessage({ content: 'One' });
    stop();
    simulator.sendMessage({ content: 'Two' });
    expect(events).toMatchObject([{ type: 'message', message: { content: 'One' }, isNew: true }]);
    expect(errors).toHaveLength(2);
  });

  it('emits events in order, even if a listener causes more of them', async () => {
    const { simulator } = await openPlatform();
    simulator.on((event) => {
      if (event.type === 'message' && event.message.content === 'ping') {
        simulator.sendMessage({ content: 'pong' });
      }
    });
    const received: string[] = [];
    simulator.on((event) => {
      if (event.type === 'message') received.push(event.message.content);
    });
    simulator.sendMessage({ content: 'ping' });
    expect(received).toEqual(['ping', 'pong']);
  });

  it('shows problems until they are cleared', async () => {
    const { simulator } = await openPlatform();
    const problem = { code: 'E_SYNTAX', message: 'Unexpected }', where: 'commands/a.ts:1:2' };
    simulator.report([problem]);
    expect(simulator.snapshot().problems).toEqual([problem]);
    simulator.report([]);
    expect(simulator.snapshot().problems).toEqual([]);
  });

  it('keeps commands of 2,000 characters at most', async () => {
    const platform = await openPlatform();
    await platform.register('ask');
    const run = (length: number) =>
      platform.simulator.run({ rawInput: `/ask ${'x'.repeat(length - 5)}` });
    expect(run(2_000).rawInput).toHaveLength(2_000);
    expect(() => run(2_001)).toThrow('rawInput can have at most 2000 characters.');
  });

  it('knows no interaction by an unknown id', async () => {
    const { simulator } = await openPlatform();
    expect(simulator.interaction('nope')).toBeUndefined();
  });
});

describe('closing', () => {
  it('ends sockets with 1001, cancels every timer and frees the port', async () => {
    const platform = await openPlatform();
    const { simulator, clock } = platform;
    const bot = await platform.connect();
    await platform.register('ask');
    simulator.run({ rawInput: '/ask' });
    expect(clock.pending).toBe(2);
    const closing = simulator.close();
    expect(simulator.close()).toBe(closing);
    await closing;
    expect(await bot.closeCode()).toBe(1001);
    expect(clock.pending).toBe(0);
    const next = await startSimulator({ port: simulator.port, pageDir: null });
    onTestFinished(() => next.close());
    expect(next.port).toBe(simulator.port);
  });

  it('does not wait for peers that say nothing', async () => {
    const platform = await openPlatform();
    const idle = await fetch(`${platform.simulator.baseUrl}/_sim/state`);
    await idle.text();
    const bot = await platform.connect();
    await platform.simulator[Symbol.asyncDispose]();
    expect(await bot.closeCode()).toBe(1001);
  });
});

describe('a port that cannot be had', () => {
  it('is refused with E_PORT_BUSY when another program has it', async () => {
    const { simulator } = await openPlatform();
    const error = await startSimulator({ port: simulator.port }).catch((reason: unknown) => reason);
    expect(isVirguleError(error, 'E_PORT_BUSY')).toBe(true);
    expect(error).toMatchObject({
      message: `Port ${simulator.port} is already in use.`,
      details: { port: simulator.port },
      kind: 'user',
    });
  });

  it.each([
    { port: 70_000, host: '127.0.0.1' },
    { port: 0, host: '203.0.113.1' },
  ])(
    'is refused with E_SIM_LISTEN when there is no such address: $host, $port',
    async (address) => {
      const error = await startSimulator(address).catch((reason: unknown) => reason);
      expect(isVirguleError(error, 'E_SIM_LISTEN')).toBe(true);
      expect(error).toMatchObject({ details: address, cause: expect.any(Error) });
    },
  );
});
