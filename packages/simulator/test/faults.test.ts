import { GATEWAY_PATH, type EndpointName } from '@virgule/core/protocol';
import type { SimFaultEffect, SimFaultRule, SimFaultState } from '@virgule/core/simulator-api';
import { WebSocket } from 'ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPlatform, type Platform, type Reply } from './open-platform.js';

const rule = (
  on: SimFaultRule['on'],
  effect: SimFaultEffect,
  more: Partial<SimFaultRule> = {},
): SimFaultRule => ({ name: 'test', on, do: effect, ...more });

async function openWith(...rules: SimFaultRule[]): Promise<Platform> {
  return openPlatform({ faults: { rules } });
}

const me = (platform: Platform): Promise<Reply> => platform.call('users.me');
const statuses = async (platform: Platform, count: number): Promise<number[]> => {
  const seen: number[] = [];
  for (let n = 0; n < count; n += 1) seen.push((await me(platform)).status);
  return seen;
};
const ME = { request: 'users.me' } as const;

describe('faults of requests', () => {
  it('answer with a status, its headers and a body of the platform', async () => {
    const platform = await openWith(rule(ME, { type: 'status', status: 429, retryAfter: 7 }));
    const { status, headers, body } = await me(platform);
    expect([status, headers['retry-after']]).toEqual([429, '7']);
    expect(body).toMatchObject({
      code: 'bot_rate_limited',
      details: { retryAfterSeconds: 7 },
      requestId: expect.any(String),
    });
  });

  it.each<[body: 'html' | 'empty', type: string | undefined, text: string]>([
    ['html', 'text/html', '<html><body><h1>503</h1></body></html>'],
    ['empty', undefined, ''],
  ])('answer with a body that is %s', async (body, type, text) => {
    const platform = await openWith(rule(ME, { type: 'status', status: 503, body }));
    const reply = await me(platform);
    expect([reply.status, reply.headers['content-type'], reply.text]).toEqual([503, type, text]);
  });

  it.each<[name: string, more: Partial<SimFaultRule>, statuses: readonly number[]]>([
    ['always', {}, [500, 500, 500, 500]],
    ['once', { times: 1 }, [500, 200, 200, 200]],
    ['the third and fourth time', { skip: 2 }, [200, 200, 500, 500]],
    ['the second time only', { skip: 1, times: 1 }, [200, 500, 200, 200]],
    ['never', { probability: 0 }, [200, 200, 200, 200]],
  ])('apply %s', async (_, more, expected) => {
    const platform = await openWith(rule(ME, { type: 'status', status: 500 }, more));
    expect(await statuses(platform, 4)).toEqual(expected);
  });

  it('apply by chance, the same each time that the seed is', async () => {
    const effect: SimFaultEffect = { type: 'status', status: 500 };
    const rules = [rule(ME, effect, { probability: 0.5 })];
    const platform = await openPlatform({ faults: { seed: 'a', rules } });
    const first = await statuses(platform, 20);
    platform.simulator.setFaults({ seed: 'a', rules });
    expect(await statuses(platform, 20)).toEqual(first);
    platform.simulator.setFaults({ seed: 'b', rules });
    expect(await statuses(platform, 20)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 500]));
  });

  it('end after a time', async () => {
    const platform = await openWith(rule(ME, { type: 'status', status: 500 }, { forMs: 1_000 }));
    expect(await statuses(platform, 1)).toEqual([500]);
    await platform.clock.advance(1_000);
    expect(await statuses(platform, 1)).toEqual([200]);
  });

  it('apply by number, to all requests, and not to other ones', async () => {
    const effect: SimFaultEffect = { type: 'status', status: 500 };
    const of = async (on: SimFaultRule['on'], name: EndpointName) =>
      (await (await openWith(rule(on, effect))).call(name)).status;
    expect(await of({ request: 1 }, 'users.me')).toBe(500);
    expect(await of({ request: '*' }, 'servers.list')).toBe(500);
    expect(await of(ME, 'servers.list')).toBe(200);
  });

  it('carry the request out before an error, where they are to', async () => {
    const effect: SimFaultEffect = { type: 'status', status: 502, after: true };
    const platform = await openWith(rule({ request: 'messages.send' }, effect, { times: 1 }));
    const channelId = platform.channelId('general');
    const { status } = await platform.call(
      'messages.send',
      { channelId },
      { body: { content: 'x' } },
    );
    expect([status, platform.lastMessage().content]).toEqual([502, 'x']);
  });

  it.each<[when: 'before' | 'after' | 'within', isSent: boolean]>([
    ['before', false],
    ['after', true],
    ['within', true],
  ])('break the connection %s the request is carried out', async (when, isSent) => {
    const platform = await openWith(
      rule({ request: 'messages.send' }, { type: 'cut', when }, { times: 1 }),
    );
    const channelId = platform.channelId('general');
    const sent = platform.call('messages.send', { channelId }, { body: { content: 'cut' } });
    await expect(sent).rejects.toThrow(/closed|terminated|hang up/);
    expect(platform.lastMessage().content === 'cut').toBe(isSent);
  });

  it('delay the request by a time', async () => {
    const platform = await openWith(rule(ME, { type: 'delay', ms: 500 }));
    let isAnswered = false;
    const reply = me(platform).finally(() => (isAnswered = true));
    await me(await openWith());
    expect(isAnswered).toBe(false);
    await platform.clock.advance(500);
    expect((await reply).status).toBe(200);
  });

  it('leave fields out', async () => {
    const platform = await openWith(rule(ME, { type: 'omit', fields: ['username'] }));
    const { body } = await me(platform);
    expect(body).toHaveProperty('displayName');
    expect(body).not.toHaveProperty('username');
  });

  it('let an interaction expire before the request', async () => {
    const platform = await openWith(
      rule({ request: 'interactions.respond' }, { type: 'expire' }, { times: 1 }),
    );
    await platform.register('roll');
    const { id: interactionId } = platform.simulator.run({ rawInput: '/roll' });
    const input = { body: { content: 'late' } };
    const { status } = await platform.call('interactions.respond', { interactionId }, input);
    expect(status).toBe(404);
    expect(platform.simulator.interaction(interactionId)?.state).toBe('expired');
  });

  it('limit the rate for real, each channel by itself, with all headers', async () => {
    const platform = await openWith(
      rule({ request: 'messages.send' }, { type: 'limit', limit: 2, perMs: 5_000, per: 'channel' }),
    );
    const send = (channel: string) =>
      platform.call(
        'messages.send',
        { channelId: platform.channelId(channel) },
        { body: { content: 'x' } },
      );
    const replies = [await send('general'), await send('general'), await send('general')];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(replies.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '0', '0']);
    expect(replies[2]?.headers).toMatchObject({
      'retry-after': '5',
      'x-ratelimit-limit': '2',
      'x-ratelimit-reset': '5',
    });
    expect((await send('bot-spam')).status).toBe(200);
    expect(platform.simulator.faults.rules[0]?.hits).toBe(1);
    await platform.clock.advance(5_000);
    expect((await send('general')).status).toBe(200);
  });
});

describe('faults of frames', () => {
  async function eventsWith(effect: SimFaultEffect, more: Partial<SimFaultRule> = {}) {
    const platform = await openWith(rule({ frame: 'MESSAGE_CREATE' }, effect, more));
    const socket = await platform.connect();
    const contents = () =>
      socket.frames.flatMap(({ t, d }) =>
        t === 'MESSAGE_CREATE' ? [(d as { content?: string }).content] : [],
      );
    const say = (content: string) => void platform.simulator.sendMessage({ content });
    return { platform, socket, say, contents };
  }

  it.each<[effect: SimFaultEffect['type'], contents: readonly string[]]>([
    ['lose', ['two', 'three']],
    ['duplicate', ['one', 'one', 'two', 'three']],
    ['reorder', ['two', 'one', 'three']],
  ])('%s one', async (type, expected) => {
    // Three of the effects have no settings.
    const { socket, say, contents } = await eventsWith({ type } as SimFaultEffect, { times: 1 });
    for (const content of ['one', 'two', 'three']) say(content);
    await socket.eventNames();
    expect(contents()).toEqual(expected);
  });

  it('send one that nothing overtakes after a second', async () => {
    const { platform, socket, say, contents } = await eventsWith({ type: 'reorder' }, { times: 1 });
    say('one');
    await me(platform);
    expect(contents()).toEqual([]);
    await platform.clock.advance(1_000);
    await socket.eventNames();
    expect(contents()).toEqual(['one']);
  });

  it('leave fields of the payload out', async () => {
    const { socket, say, contents } = await eventsWith({ type: 'omit', fields: ['content'] });
    say('one');
    await socket.eventNames();
    expect(contents()).toEqual([undefined]);
  });

  it('close the connection with a code', async () => {
    const { socket, say } = await eventsWith({ type: 'close', code: 1012 });
    say('one');
    expect(await socket.closeCode()).toBe(1012);
  });

  it('let the connection go silent, without closing it', async () => {
    const platform = await openWith(rule({ frame: 'HEARTBEAT_ACK' }, { type: 'silence' }));
    const socket = await platform.connect();
    socket.send({ op: 'HEARTBEAT' });
    await expect.poll(() => platform.simulator.faults.rules[0]?.hits).toBe(1);
    platform.simulator.sendMessage({ content: 'unheard' });
    await platform.clock.advance(600_000);
    expect(socket.closed).toBeUndefined();
    expect(socket.frames.map(({ op, t }) => t ?? op)).toEqual(['HELLO', 'READY']);
  });

  it('ignore a frame of the bot', async () => {
    const platform = await openWith(rule({ frame: 'IDENTIFY' }, { type: 'close', code: 4004 }));
    const socket = await platform.connect({ identify: false });
    socket.send({ op: 'IDENTIFY', d: { token: platform.simulator.token } });
    expect(await socket.closeCode()).toBe(4004);
  });
});

it('refuse new connections, or break them', async () => {
  const platform = await openWith(
    rule({ connect: true }, { type: 'status', status: 503 }, { times: 1 }),
    rule({ connect: true }, { type: 'cut' }, { times: 1 }),
  );
  const connect = async (): Promise<string> => {
    const socket = new WebSocket(platform.simulator.gatewayUrl + GATEWAY_PATH);
    onTestFinished(() => socket.terminate());
    return new Promise((resolve) => {
      socket.once('open', () => resolve('open'));
      socket.once('error', ({ message }) => resolve(message));
    });
  };
  expect([await connect(), await connect(), await connect()]).toEqual([
    'Unexpected server response: 503',
    'socket hang up',
    'open',
  ]);
});

describe('the rules', () => {
  const put = (platform: Platform, body: object) => platform.act('faults', body);

  it('are set and read by the control API, which has presets', async () => {
    const platform = await openPlatform();
    const rules = [rule(ME, { type: 'status', status: 500 }, { times: 1 })];
    expect((await put(platform, { rules })).status).toBe(200);
    await me(platform);
    const { body } = await platform.act('faults');
    const state = body as SimFaultState;
    expect(state.rules).toEqual([{ ...rules[0], hits: 1 }]);
    expect(platform.simulator.trace().map(({ what }) => what)).toContain('fault: test');
    for (const { name, rules: preset } of state.presets) {
      const reply = await put(platform, { rules: preset });
      expect([name, reply.status]).toEqual([name, 200]);
    }
    await put(platform, { rules: [] });
    expect((await me(platform)).status).toBe(200);
  });

  it.each<[invalid: object, field: string, reason: RegExp]>([
    [{ rules: {} }, 'rules', /expected/i],
    [{ rules: [{ ...rule(ME, { type: 'hang' }), name: '' }] }, 'rules[0].name', /small/i],
    [{ rules: [rule({ request: 'users.you' }, { type: 'hang' })] }, 'rules[0].on', /endpoint/],
    [{ rules: [rule({ frame: 'PING' }, { type: 'lose' })] }, 'rules[0].on', /one of/],
    [{ rules: [rule(ME, { type: 'lose' })] }, 'rules[0].do.type', /not possible/],
    [{ rules: [{ ...rule(ME, { type: 'hang' }), times: 0 }] }, 'rules[0].times', /./],
    [{ rules: [rule({ frame: '*' }, { type: 'close', code: 1005 })] }, 'rules[0].do.code', /close/],
    [{ rules: [rule({ frame: '*' }, { type: 'close', code: 2999 })] }, 'rules[0].do.code', /close/],
    [
      { rules: [rule(ME, { type: 'status', status: 429, retryAfter: '1\r\nx: y' })] },
      'rules[0].do.retryAfter',
      /header/,
    ],
    [
      { rules: [rule(ME, { type: 'status', status: 429, retryAfter: 'soon\u2026' })] },
      'rules[0].do.retryAfter',
      /header/,
    ],
  ])('%j are refused', async (invalid, field, reason) => {
    const platform = await openPlatform();
    const { status, body } = await put(platform, invalid);
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: expect.stringMatching(reason) });
    expect(JSON.stringify(body)).toContain(field);
    expect(platform.simulator.faults.rules).toEqual([]);
  });
});
