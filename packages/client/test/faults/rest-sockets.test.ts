import { lookup } from 'node:dns';
import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendReconciled, type Rest } from '@virgule/client/rest';
import { CHANNEL } from '../test-rest.js';
import { lost, normal, refused, startPlatform } from './platform.js';
import { openRestWorld } from './rest-world.js';
import { inTurn, me, send, sent } from './usual-calls.js';
import { eventually } from '../eventually.js';

describe('a client on a bad network', () => {
  it('#01 connection refused for 2 s, as in a redeploy: 20 answers to commands succeed, each once', async () => {
    const world = await openRestWorld({ plan: () => ({}) });
    await world.proxy.refuse();
    for (let index = 0; index < 20; index += 1) {
      const id = `8a5c0e7f-d913-4b26-ae84-${String(index).padStart(12, '0')}`;
      world.call(`respond ${id}`, (rest) => rest.interactions.respond(id, { content: 'x' }));
    }
    await world.clock.push(50, () => expect(world.clock.elapsedMs).toBeGreaterThanOrEqual(2_000));
    await world.proxy.listen();
    await world.settle();
    expect(world.calls.filter(({ error }) => error !== undefined)).toEqual([]);
    expect([...world.platform.effects.values()]).toEqual(Array(20).fill(1));
    // The next probe goes 2 s after the last fault at the latest.
    expect(world.clock.elapsedMs).toBeLessThan(5_000);
    await world.end();
  });

  it('#01 connection refused for 10 s: calls with enough time succeed, the others report it', async () => {
    const world = await openRestWorld({ plan: () => ({}) });
    const { clock, platform, proxy } = world;
    await proxy.refuse();
    const hasty = world.call(sent('hasty'), send('hasty', CHANNEL, { deadlineMs: 5_000 }));
    for (let second = 0; second < 10; second += 1) {
      world.call(sent(`while away ${second}`), send(`while away ${second}`));
      world.call(undefined, me);
      await clock.advance(1_000);
    }
    await clock.push(50, () => expect(hasty.settlements).toBe(1));
    expect(hasty.code).toBe('E_UNREACHABLE');
    expect(platform.requests).toHaveLength(0);

    await proxy.listen();
    await world.settle();
    expect(world.calls.slice(1).filter(({ error }) => error !== undefined)).toEqual([]);
    await world.end();
  });

  it('#01 connection refused for longer: calls end at their deadline, and were never sent', async () => {
    const world = await openRestWorld({ plan: () => ({}) });
    await world.proxy.refuse();
    const call = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(call.code).toBe('E_UNREACHABLE');
    expect(call.details).toMatchObject({ reason: 'ECONNREFUSED' });
    expect(call.details['elapsedMs']).toBeGreaterThan(28_000);
    expect(world.platform.requests).toHaveLength(0);
    await world.end();
  });

  it('#02 DNS fails, then recovers: the same call succeeds, and is sent once', async () => {
    let lookups = 0;
    const platform = await startPlatform();
    const dispatcher = new Pool(`http://chat.test:${platform.address.split(':')[1]}`, {
      connect: {
        lookup: (_host, options, callback) => {
          lookups += 1;
          if (lookups > 2) lookup('127.0.0.1', options, callback);
          else callback(Object.assign(new Error('queryA'), { code: 'ENOTFOUND' }), '', 4);
        },
      },
    });
    onTestFinished(() => dispatcher.destroy());
    const world = await openRestWorld({ rest: { dispatcher } });
    const call = world.call(undefined, send('hello'));
    await world.settle();
    expect(call.error).toBeUndefined();
    expect(lookups).toBe(3);
    expect(platform.effects).toEqual(new Map([[sent('hello'), 1]]));
    await dispatcher.destroy();
    await platform.close();
    await world.end();
  });

  it('#03 TLS handshake stalls: the call ends in time, and nothing was sent', async () => {
    const world = await openRestWorld({ scheme: 'https', plan: () => ({ accept: 'stall' }) });
    const call = world.call(sent('hello'), send('hello'));
    await eventually(() => expect(world.proxy.connections).toBe(1));
    await world.settle();
    expect(call.code).toBe('E_UNREACHABLE');
    // The reason is that of the last try that ended: the next try was in progress at the deadline of 30 s.
    expect(call.details).toMatchObject({ reason: 'ETIMEDOUT' });
    expect(call.details['elapsedMs']).toSatisfy((ms: number) => ms > 20_000 && ms <= 30_000);
    expect(world.platform.connections).toBe(0);
    await world.end();
  });

  it('#04 RST before the request is written, in the handshake: it is sent again, also a message', async () => {
    const world = await openRestWorld({ scheme: 'https', plan: () => ({ accept: 'reset' }) });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(call.code).toBe('E_UNREACHABLE');
    expect(world.proxy.connections).toBeGreaterThan(10);
    await world.end();
  });

  it('#04 RST as the connection is made: reads are repeated, a message is sent or reported', async () => {
    const world = await openRestWorld({
      plan: (index) => (index % 2 === 0 ? { accept: 'reset' } : {}),
    });
    for (let round = 0; round < 10; round += 1) {
      const read = world.call(undefined, me);
      const write = world.call(sent(`hello ${round}`), send(`hello ${round}`));
      await world.settle();
      expect(read.error).toBeUndefined();
      expect([undefined, 'E_OUTCOME_UNKNOWN']).toContain(write.code);
      world.proxy.reset();
      await eventually(() => expect(world.proxy.open).toBe(0));
    }
    await world.end();
  });

  it('#05 RST after the body is written, before headers: the POST is not sent again', async () => {
    const world = await openRestWorld({ script: inTurn(lost('reset')) });
    const call = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(call.code).toBe('E_OUTCOME_UNKNOWN');
    expect(call.details).toMatchObject({ phase: 'headers', attempts: 1, repeatIsHarmless: false });
    expect(world.platform.requests).toHaveLength(1);
    await world.end();
  });

  it.each([
    ['arrived: it is found', lost('reset'), 'POST'],
    ['never arrived: it is sent once more', refused('reset'), 'POST POST'],
  ])(
    '#05 RST after the body is written, with reconcile, and the message %s',
    async (_what, act, posts) => {
      // The first request reads the newest message.
      const world = await openRestWorld({ script: inTurn(normal, act) });
      const call = world.call(sent('hello'), (rest) =>
        sendReconciled(rest, CHANNEL, { content: 'hello' }, { clock: world.clock }),
      );
      await world.settle();
      expect(call.error).toBeUndefined();
      expect(call.value).toMatchObject({ content: 'hello', channelId: CHANNEL });
      const methods = world.platform.requests.map(({ method }) => method);
      expect(methods.filter((method) => method === 'POST').join(' ')).toBe(posts);
      await world.end();
    },
  );

  it('#06 RST after the body is written, before headers: GET, PUT and DELETE are sent again', async () => {
    let lose = false;
    const world = await openRestWorld({
      script: () => {
        lose = !lose;
        return lose ? lost('reset') : normal;
      },
    });
    const { effects } = world.platform;
    world.call(undefined, me);
    await world.settle();
    lose = true;
    const written = world.call(sent('target'), send('target'));
    await world.settle();
    const { id } = written.value as { readonly id: string };
    const commands = [{ name: 'play', description: 'Play', options: [] }];
    for (const [effect, start] of [
      ['commands ' + JSON.stringify(commands), (rest) => rest.commands.replace(commands)],
      [`react ${id} 🎲`, (rest) => rest.reactions.add(CHANNEL, id, { unicodeEmoji: '🎲' })],
      [`edit ${id} new`, (rest) => rest.messages.edit(CHANNEL, id, { content: 'new' })],
      [`delete ${id}`, (rest) => rest.messages.delete(CHANNEL, id)],
    ] satisfies readonly (readonly [string, (rest: Rest) => Promise<unknown>])[]) {
      lose = false;
      const call = world.call(effect, start);
      await world.settle();
      expect([effect, call.error]).toEqual([effect, undefined]);
    }
    expect(world.platform.requests).toHaveLength(2 + 1 + 8);
    expect(new Set(effects.values())).toEqual(new Set([1]));
    await world.end();
  });

  it('#07 RST in the middle of a JSON body: reads are repeated, a message counts as sent', async () => {
    const half = {
      raw: 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"id":',
      end: 'reset',
    } as const;
    const world = await openRestWorld({
      script: inTurn(lost(half), normal, lost(half), lost(half)),
    });
    const read = world.call(undefined, me);
    await world.settle();
    expect(read.error).toBeUndefined();
    const write = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect([write.error, write.value]).toEqual([undefined, undefined]);
    const open = world.call(`ingress ${CHANNEL}`, (rest) => rest.voice.openIngress(CHANNEL));
    await world.settle();
    expect(open.code).toBe('E_OUTCOME_UNKNOWN');
    // The ingress that may be open is closed in case (DELETE).
    const { requests } = world.platform;
    expect(requests.filter(({ method }) => method !== 'DELETE')).toHaveLength(4);
    await world.end();
    expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
  });

  it('#08 headers trickle at 1 byte a second: aborted after 15 s, a read is retried', async () => {
    const world = await openRestWorld({
      plan: (index) => (index < 2 ? { toClient: { pieceBytes: 1, everyMs: 1_000 } } : {}),
    });
    const { clock, platform } = world;
    const write = world.call(sent('hello'), send('hello'));
    await eventually(() => expect(platform.requests).toHaveLength(1));
    await world.settle(500);
    expect(write.code).toBe('E_OUTCOME_UNKNOWN');
    expect(write.details).toMatchObject({ phase: 'headers', elapsedMs: 15_000 });
    const startMs = clock.elapsedMs;
    const read = world.call(undefined, me);
    await eventually(() => expect(platform.requests).toHaveLength(2));
    await world.settle(100);
    expect(read.error).toBeUndefined();
    expect(clock.elapsedMs - startMs).toBeGreaterThanOrEqual(15_000);
    await world.end();
  });

  it('#09 body never ends: the call ends at its deadline, or is retried before', async () => {
    const half = {
      raw: 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"id":',
      end: 'stall',
    } as const;
    const world = await openRestWorld({ script: inTurn(lost(half), lost(half), lost(half)) });
    const tight = world.call(undefined, (rest) => rest.users.me({ deadlineMs: 15_000 }));
    await eventually(() => expect(world.platform.requests).toHaveLength(1));
    await world.settle(500);
    expect(tight.code).toBe('E_TIMEOUT');
    expect(tight.details).toMatchObject({ phase: 'body', elapsedMs: 15_000 });
    const patient = world.call(undefined, me);
    await eventually(() => expect(world.platform.requests).toHaveLength(2));
    await world.clock.push(500, () => expect(world.platform.requests).toHaveLength(3));
    await world.settle(500);
    expect(patient.details).toMatchObject({ phase: 'body', attempts: 1, elapsedMs: 15_000 });
    expect((await world.rest.users.me()).botUserId).toBeDefined();
    await world.end();
  });

  it('#10 idle keep-alive closed at the very moment of reuse: reads are repeated, a message is sent or reported', async () => {
    let hangUp = (): void => {};
    const world = await openRestWorld({
      script: (_request, _index, socket) => {
        hangUp = () => socket.end();
        return normal;
      },
    });
    for (let round = 0; round < 20; round += 1) {
      world.call(undefined, me);
      await world.settle();
      // The close is in flight, and the client cannot know it yet.
      hangUp();
      const isRead = round % 2 === 0;
      const call = isRead
        ? world.call(undefined, me)
        : world.call(sent(`hello ${round}`), send(`hello ${round}`));
      await world.settle();
      expect([undefined, ...(isRead ? [] : ['E_OUTCOME_UNKNOWN'])]).toContain(call.code);
    }
    await world.end();
  });

  it('#11 server processes the POST but answers after the timeout: reported, and not sent again', async () => {
    let answerNow = (): void => {};
    const late = new Promise<void>((resolve) => (answerNow = resolve));
    const world = await openRestWorld({ script: inTurn({ ...normal, after: late }) });
    const call = world.call(sent('hello'), send('hello'));
    await eventually(() => expect(world.platform.requests).toHaveLength(1));
    await world.clock.advance(15_000);
    await world.settle();
    expect(call.code).toBe('E_OUTCOME_UNKNOWN');
    answerNow();
    await world.clock.advance(60_000);
    expect(world.platform.requests).toHaveLength(1);
    await world.end();
  });
});
