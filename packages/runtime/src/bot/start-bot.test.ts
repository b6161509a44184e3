import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createFakeClock, systemClock } from '@virgule/core/clock';
import type { Command } from '@virgule/core/protocol';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { unauthorized } from '../../test/client-failures.js';
import { createFakeGateway, type FakeGateway } from '../../test/fake-gateway.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { BOT_USER, CHANNEL, interactionId, SERVER } from '../../test/ids.js';
import { projectOf } from '../../test/project-of.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { startHealth } from '../health/start-health.js';
import { wireCommands } from '../command/define/command.js';
import type { Project } from '../load/project.js';
import { startBot, syncCommands, type StartBotOptions, type SyncMode } from './start-bot.js';

const CONNECTION = {
  token: 'bot-token-made-up-7f3a',
  baseUrl: 'http://127.0.0.1:9',
  gatewayUrl: 'ws://127.0.0.1:9',
};

const project = (): Promise<Project> =>
  projectOf({ 'commands/x.ts': { description: 'Does x', default: () => 'done' } });

/** The commands of a project as if they were registered. */
const registered = (commands: ReturnType<typeof wireCommands>): readonly Command[] =>
  commands.map((command, n) => ({
    ...command,
    id: interactionId(100 + n),
    createdAt: '2026-01-01T00:00:00Z',
  }));

async function start(options: Partial<StartBotOptions> = {}, gateway = createFakeGateway()) {
  const rest = createFakeRest();
  const log = createRecordedLog();
  const bot = startBot({
    ...CONNECTION,
    project: await project(),
    sync: 'never',
    rest: rest.rest,
    gateway,
    log,
    clock: createFakeClock(),
    ...options,
  });
  return { rest, log, gateway, bot };
}

/** Takes connections and says nothing. */
async function openSilent() {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.resume();
    // The end of the other side is an end.
    socket.on('end', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return { sockets, port: (server.address() as AddressInfo).port };
}

describe('startBot', () => {
  it('checks the token, then connects, and answers commands', async () => {
    const { rest, gateway, bot } = await start();
    const { project: loaded, idle } = await bot;
    expect(rest.lines).toEqual(['users.me']);
    expect(gateway.isOpen).toBe(true);
    expect([...loaded.commands.keys()]).toEqual(['x']);
    sendCommand(gateway);
    await idle();
    expect(rest.lines).toEqual(['users.me', 'respond done']);
  });

  it('waits for a project that is still loading, while the token is checked', async () => {
    let load: (loaded: Project) => void = () => {};
    const loading = new Promise<Project>((resolve) => {
      load = resolve;
    });
    const { rest, gateway, bot } = await start({ project: loading });
    await vi.waitFor(() => expect(rest.lines).toEqual(['users.me']));
    expect(gateway.isOpen).toBe(false);
    load(await project());
    await bot;
    expect(gateway.isOpen).toBe(true);
  });

  it('waits for a look at the token that has begun, and makes no other', async () => {
    let accept: () => void = () => {};
    const me = new Promise<void>((resolve) => (accept = resolve));
    const { rest, gateway, bot } = await start({ me });
    expect(gateway.isOpen).toBe(false);
    accept();
    await bot;
    expect(gateway.isOpen).toBe(true);
    expect(rest.lines).toEqual([]);
    const refused = await start({ me: Promise.reject(unauthorized()) });
    await expect(refused.bot).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
  });

  it('connects while it looks at the registered commands, but not while it registers them', async () => {
    const rest = createFakeRest();
    const looking = rest.hold('commands.list');
    const checking = await start({ rest: rest.rest, sync: 'check' });
    await checking.bot;
    expect([checking.gateway.isOpen, looking.made]).toEqual([true, true]);
    looking.settle([]);

    const other = createFakeRest();
    const held = other.hold('commands.list');
    const applying = await start({ rest: other.rest, sync: 'apply' });
    await vi.waitFor(() => expect(held.made).toBe(true));
    expect(applying.gateway.isOpen).toBe(false);
    held.settle(registered(wireCommands(await project())));
    await applying.bot;
    expect(applying.gateway.isOpen).toBe(true);
  });

  it('leaves nothing running when the commands cannot be registered', async () => {
    const rest = createFakeRest();
    rest.once('commands.list', unauthorized());
    const { gateway, bot } = await start({ rest: rest.rest, sync: 'apply' });
    await expect(bot).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
    expect(gateway.isOpen).toBe(false);
    expect(rest.lines.at(-1)).toBe('close');
  });

  it('leaves nothing running when the token is refused', async () => {
    const rest = createFakeRest();
    rest.once('users.me', unauthorized());
    const { gateway, bot } = await start({ rest: rest.rest });
    await expect(bot).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
    expect(rest.lines).toEqual(['users.me', 'close']);
    expect(gateway.isOpen).toBe(false);
  });

  it('leaves nothing running when the project cannot be loaded', async () => {
    const { rest, bot } = await start({ project: Promise.reject(new Error('broken')) });
    await expect(bot).rejects.toThrow('broken');
    expect(rest.lines.at(-1)).toBe('close');
  });

  it('leaves nothing running when the gateway refuses it', async () => {
    const gateway = createFakeGateway({ refusal: unauthorized() });
    const { rest, bot } = await start({}, gateway);
    await expect(bot).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
    expect(rest.lines).toEqual(['users.me', 'close']);
  });

  it('refuses invalid addresses', async () => {
    const baseUrl = start({ rest: undefined, baseUrl: 'chat.example.com' });
    await expect(baseUrl.then(({ bot }) => bot)).rejects.toMatchObject({ code: 'E_BAD_ADDRESS' });
    const { rest, bot } = await start({ gateway: undefined, gatewayUrl: 'http://x.example' });
    await expect(bot).rejects.toMatchObject({ code: 'E_BAD_ADDRESS' });
    expect(rest.lines).toEqual(['users.me', 'close']);
  });

  it.each(['the platform', 'the gateway'])('can be given up while %s says nothing', async (who) => {
    const { port, sockets } = await openSilent();
    const clock = createFakeClock();
    const stopping = new AbortController();
    const { bot } = await start({
      clock,
      signal: stopping.signal,
      ...(who === 'the platform'
        ? { rest: undefined, baseUrl: `http://127.0.0.1:${port}` }
        : { gateway: undefined, gatewayUrl: `ws://127.0.0.1:${port}` }),
    });
    const ended = bot.catch((reason: unknown) => reason);
    await vi.waitFor(() => expect(sockets).toHaveLength(1));
    stopping.abort(new Error('enough'));
    // Time that a closing client waits for calls in flight.
    await clock.advance(5_000);
    expect(await ended).toEqual(new Error('enough'));
    await vi.waitFor(() => expect(sockets[0]?.destroyed).toBe(true));
    expect(clock.pending).toBe(0);
  });

  it('does not begin when it has been given up already', async () => {
    const { rest, gateway, bot } = await start({ signal: AbortSignal.abort(new Error('enough')) });
    await expect(bot).rejects.toThrow('enough');
    expect(rest.lines).toEqual(['close']);
    expect(gateway.isOpen).toBe(false);
  });

  it('keeps running once it has started, also when the signal is aborted', async () => {
    const stopping = new AbortController();
    const { gateway, bot } = await start({ signal: stopping.signal });
    await bot;
    stopping.abort();
    expect(gateway.isOpen).toBe(true);
  });

  it('notifies its caller when the platform ends the connection', async () => {
    const onClosed = vi.fn<() => void>();
    const { gateway, bot } = await start({ onClosed });
    await bot;
    gateway.status({ state: 'closed', error: unauthorized() });
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce());
  });

  it('asks over REST whether the token is refused when the gateway leaves a doubt', async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      // The token is revoked between the first look and the second.
      response.writeHead(paths.length === 1 ? 200 : 401);
      const name = { username: 'dice', displayName: 'Dice' };
      response.end(JSON.stringify({ applicationId: BOT_USER, botUserId: BOT_USER, ...name }));
    });
    server.on('upgrade', (request, stream) => {
      paths.push(request.url);
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const bot = startBot({
      token: CONNECTION.token,
      baseUrl: `http://127.0.0.1:${port}`,
      gatewayUrl: `ws://127.0.0.1:${port}`,
      project: await project(),
      sync: 'never',
    });
    await expect(bot).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
    expect(paths).toEqual(['/api/bot/v1/users/@me', '/gateway/bot', '/api/bot/v1/users/@me']);
  });

  it('ends a bot whose token is revoked while it runs, and reports it in its health meanwhile', async () => {
    let isRevoked = false;
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(isRevoked ? 401 : 200);
      const name = { username: 'dice', displayName: 'Dice' };
      response.end(JSON.stringify({ applicationId: BOT_USER, botUserId: BOT_USER, ...name }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const log = createRecordedLog();
    const health = await startHealth({ port: 0, host: '127.0.0.1', clock: systemClock, log });
    onTestFinished(() => health.close());
    const gateway = createFakeGateway();
    let whileClosing: unknown;
    const onClosed = vi.fn<() => void>();
    const modules = {
      'commands/x.ts': { description: 'Does x', default: () => 'done' },
      'events/shutdown.ts': {
        default: async () => {
          const answer = await fetch(`${health.url}/healthz`);
          const { reasons } = (await answer.json()) as { reasons: readonly string[] };
          // A busy machine may add one.
          whileClosing = [
            answer.status,
            reasons.filter((each) => !each.startsWith('the event loop')),
          ];
        },
      },
    };
    await startBot({
      ...CONNECTION,
      baseUrl: `http://127.0.0.1:${port}`,
      project: await projectOf(modules),
      sync: 'never',
      gateway,
      log,
      observers: health.observers,
      onClosed,
    });
    isRevoked = true;
    sendCommand(gateway);
    await vi.waitFor(() => expect(onClosed).toHaveBeenCalledOnce(), 10_000);
    expect(whileClosing).toEqual([503, [expect.stringContaining('The bot token was refused')]]);
    expect(gateway.isOpen).toBe(false);
    expect((await fetch(`${health.url}/healthz`)).status).toBe(503);
  });

  it('keeps connecting when the gateway is inconclusive and the platform accepts the token over REST', async () => {
    const server = createServer();
    server.on('upgrade', (_request, stream) =>
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const giveUp = new AbortController();
    const { rest, log, bot } = await start({
      gateway: undefined,
      gatewayUrl: `ws://127.0.0.1:${port}`,
      signal: giveUp.signal,
    });
    bot.catch(() => {});
    await vi.waitFor(() =>
      expect(log.lines.map(({ details }) => details)).toContainEqual(
        expect.objectContaining({ state: 'reconnecting', attempt: 1 }),
      ),
    );
    expect(rest.calls.map(({ endpoint }) => endpoint)).toEqual(['users.me', 'users.me']);
    giveUp.abort('enough');
    await expect(bot).rejects.toBe('enough');
  });

  it('lets its own REST client know how the platform is assumed to behave', async () => {
    const paths: string[] = [];
    let defers = 0;
    const server = createServer((request, response) => {
      const path = (request.url ?? '')
        .replace('/api/bot/v1', '')
        .replace(/\/interactions\/[^/]+/, '');
      paths.push(path);
      const answer = (status: number, body: object): void =>
        void response.writeHead(status).end(JSON.stringify(body));
      if (path === '/users/@me') {
        const name = { username: 'dice', displayName: 'Dice' };
        answer(200, { applicationId: BOT_USER, botUserId: BOT_USER, ...name });
      } else if (path === '/defer') {
        defers += 1;
        // The first one took effect, and its answer was lost on the way.
        if (defers === 1) answer(503, {});
        else answer(400, { code: 'taken', message: 'again', details: {}, requestId: '1' });
      } else {
        answer(200, {});
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    // A listening TCP server has an address with a port.
    const { port } = server.address() as AddressInfo;
    const log = createRecordedLog();
    const gateway = createFakeGateway();
    const bot = await startBot({
      ...CONNECTION,
      baseUrl: `http://127.0.0.1:${port}`,
      project: await projectOf({
        'commands/x.ts': { description: 'x', config: { defer: 'now' }, default: () => 'done' },
      }),
      sync: 'never',
      gateway,
      log,
      random: () => 0,
      profile: { refusals: { alreadyAnswered: { status: 400, code: 'taken' } } },
    });
    sendCommand(gateway);
    await bot.idle();
    await bot.close();
    expect(paths).toEqual(['/users/@me', '/defer', '/defer', '/response']);
    expect(log.at('warn').filter((line) => line.includes('could not'))).toEqual([]);
  });
});

describe('syncCommands', () => {
  async function sync(
    mode: SyncMode,
    remote: readonly Command[],
    local?: Project,
    allowDelete?: readonly string[],
    change: (command: ReturnType<typeof wireCommands>[number]) => object = () => ({}),
  ) {
    const fake = createFakeRest();
    const log = createRecordedLog();
    let current = remote;
    fake.always('commands.list', () => current);
    fake.always('commands.replace', (commands: ReturnType<typeof wireCommands>) => {
      current = registered(commands.map((each) => ({ ...each, ...change(each) })));
    });
    const plan = syncCommands(fake.rest, local ?? (await project()), mode, log, allowDelete);
    return { fake, log, plan };
  }

  it('does not check when that is turned off', async () => {
    const { fake, plan } = await sync('never', []);
    expect(await plan).toBeNull();
    expect(fake.lines).toEqual([]);
  });

  it('reports a difference and changes nothing with "check"', async () => {
    const { fake, log, plan } = await sync('check', []);
    expect((await plan)?.add.map(({ name }) => name)).toEqual(['x']);
    expect(fake.lines).toEqual(['commands.list']);
    expect(log.lines).toEqual([
      {
        level: 'warn',
        message:
          'the registered commands differ from the local ones; run `virgule deploy` to see and apply the plan',
        details: { add: 1, change: 0, remove: 0 },
      },
    ]);
  });

  it.each<SyncMode>(['check', 'apply', 'apply-with-deletions'])(
    'sends and reports nothing when there is no difference: %s',
    async (mode) => {
      const remote = registered(wireCommands(await project()));
      const { fake, log, plan } = await sync(mode, remote);
      expect((await plan)?.empty).toBe(true);
      expect([fake.lines, log.lines]).toEqual([['commands.list'], []]);
    },
  );

  it('registers with "apply"', async () => {
    const { fake, log, plan } = await sync('apply', []);
    await plan;
    expect(fake.lines).toEqual([
      'commands.list',
      'commands.list',
      'commands.replace',
      'commands.list',
    ]);
    expect(log.at('info')).toEqual(['registered the commands']);
  });

  it('starts a bot whose commands the platform changes when it registers them, and says so', async () => {
    const { log, plan } = await sync('apply', [], undefined, [], () => ({ description: 'X' }));
    await plan;
    expect(log.lines).toMatchObject([
      { level: 'error', details: { err: { code: 'E_SYNC_NOT_APPLIED' } } },
    ]);
  });

  const old = registered([{ name: 'old', description: 'Old', options: [] }]);

  it('fails if the request failed and the platform lists other commands', async () => {
    const fake = createFakeRest();
    const lists = [[], []];
    fake.always('commands.list', () => lists.shift() ?? old);
    fake.always('commands.replace', new Error('no answer'));
    const syncing = syncCommands(fake.rest, await project(), 'apply', createRecordedLog());
    await expect(syncing).rejects.toMatchObject({ code: 'E_SYNC_NOT_APPLIED' });
  });

  it('registers and keeps what it may not delete, and names it', async () => {
    const keeping = await sync('apply', old);
    expect(await keeping.plan).toMatchObject({ kept: [{ name: 'old' }], remove: [] });
    const put = keeping.fake.calls.find(({ endpoint }) => endpoint === 'commands.replace');
    expect(put?.args[0]).toMatchObject([{ name: 'x' }, { name: 'old' }]);
    expect(keeping.log.at('warn')).toEqual([
      'commands that this bot does not have stay registered; run `virgule deploy` to delete them',
    ]);
  });

  it('deletes the commands that are named, and keeps the others', async () => {
    const two = registered([
      { name: 'old', description: 'Old', options: [] },
      { name: 'older', description: 'Older', options: [] },
    ]);
    const naming = await sync('apply', two, undefined, ['old']);
    expect(await naming.plan).toMatchObject({
      kept: [{ name: 'older' }],
      remove: [{ name: 'old' }],
    });
    const put = naming.fake.calls.find(({ endpoint }) => endpoint === 'commands.replace');
    expect(put?.args[0]).toMatchObject([{ name: 'x' }, { name: 'older' }]);
  });

  it('deletes only with permission', async () => {
    const deleting = await sync('apply-with-deletions', old);
    expect((await deleting.plan)?.remove.map(({ name }) => name)).toEqual(['old']);
    expect(deleting.fake.lines).toContain('commands.replace');
  });

  it('never deletes every command of an empty project without permission', async () => {
    const none = await projectOf({});
    const keeping = await sync('apply', old, none);
    expect(await keeping.plan).toMatchObject({ empty: true });
    const naming = await sync('apply', old, none, ['old']);
    await expect(naming.plan).rejects.toMatchObject({ code: 'E_SYNC_EMPTY' });
    const deleting = await sync('apply-with-deletions', old, none);
    expect((await deleting.plan)?.remove).toHaveLength(1);
  });
});

function sendCommand(gateway: FakeGateway): void {
  gateway.emit(
    'APPLICATION_COMMAND',
    {
      interactionId: interactionId(1),
      serverId: SERVER,
      channelId: CHANNEL,
      name: 'x',
      rawInput: '/x',
    },
    0,
  );
}
