import { describe, expect, it } from 'vitest';
import { ACK, HELLO, READY } from '../test-gateway.js';
import { openGatewayWorld } from './gateway-world.js';
import { eventually } from '../eventually.js';

describe('a gateway and invalid frames', () => {
  const odd: readonly (readonly [string, string | Buffer, boolean])[] = [
    ['bad JSON', '{"op":"DISPATCH",', false],
    ['no JSON at all', 'hello', false],
    ['0 bytes', '', false],
    ['a binary frame', Buffer.from('{"op":"HELLO"}'), true],
    ['a binary frame of 0 bytes', Buffer.alloc(0), true],
    ['null', 'null', false],
    ['a list', '[{"op":"DISPATCH"}]', false],
    ['an op that is no text', '{"op":7}', false],
    ['a DISPATCH without t', '{"op":"DISPATCH","d":{}}', false],
    ['100,000 levels of nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, false],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), false],
  ];
  it.each(odd)('#49 %s: counted and dropped, the connection lives', async (_what, data, binary) => {
    const world = await openGatewayWorld();
    await world.ready();
    const { last } = world.server;
    last.socket.send(data, { binary });
    last.socket.send(data, { binary });
    last.command('after');
    await eventually(() => expect(world.ids).toEqual(['after']));
    const { binary: binaries, malformed } = world.gateway.frames;
    expect([binaries, malformed]).toEqual(binary ? [2, 0] : [0, 2]);
    expect(world.log).toHaveLength(1);
    expect(world.reasons).toEqual([]);
    await world.end();
  });

  it('#49 a frame of 20 MiB: the connection is replaced, and the gap is reported', async () => {
    const world = await openGatewayWorld();
    await world.ready();
    world.server.last.send(`"${'x'.repeat(20 * 1024 * 1024)}"`);
    world.server.last.message('behind it');
    await world.ready(2);
    expect(world.reasons).toEqual(['Max payload size exceeded']);
    expect(world.gateway.frames.oversized).toBe(1);
    await world.end();
  });

  it('#49 __proto__ and constructor in a payload: plain data, nothing is polluted', async () => {
    const world = await openGatewayWorld();
    await world.ready();
    const { last } = world.server;
    const poison = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    last.send(`{"__proto__":{"op":"HELLO"},"op":"DISPATCH","t":"MESSAGE_CREATE","d":${poison}}`);
    last.send(`{"op":"__proto__","d":${poison}}`);
    last.send(`{"op":"DISPATCH","t":"__proto__","d":${poison}}`);
    last.command('after');
    await eventually(() => expect(world.events).toHaveLength(3));
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(Object(Object.create(null)).polluted).toBeUndefined();
    expect(world.gateway.frames).toMatchObject({ unknownOp: 1, unknownEvent: 1 });
    await world.end();
  });

  it('#50 unknown op and t, DISPATCH before READY, READY twice, HELLO twice: the bot keeps working', async () => {
    const world = await openGatewayWorld({
      opened: (peer) => {
        peer.command('before HELLO');
        peer.send(HELLO);
        peer.send(HELLO);
        peer.message('before READY');
      },
    });
    await world.ready();
    const { last } = world.server;
    last.send(READY);
    last.send(HELLO);
    last.send({ op: 'RECONNECT' });
    last.send({ op: 'DISPATCH', t: 'POLL_VOTE', d: { id: 'vote' } });
    last.send(ACK);
    last.command('after');
    await eventually(() => expect(world.ids).toEqual(['vote', 'after']));
    const { frames } = world.gateway;
    expect(frames).toMatchObject({ early: 2, unexpected: 4, unknownOp: 1, unknownEvent: 1 });
    expect(last.received.filter((op) => op === 'IDENTIFY')).toHaveLength(1);
    expect(world.statuses.map(({ state }) => state)).toEqual(['ready']);
    await world.end();
  });

  it('#51 the same APPLICATION_COMMAND twice, and again after a reconnect: handled once', async () => {
    const world = await openGatewayWorld();
    await world.ready();
    const [first] = world.server.peers;
    first?.command('one');
    first?.command('one');
    first?.command('two');
    await eventually(() => expect(world.ids).toEqual(['one', 'two']));
    first?.socket.close(1001);
    await world.ready(2);
    world.server.last.command('two');
    world.server.last.command('three');
    await eventually(() => expect(world.ids).toEqual(['one', 'two', 'three']));
    expect(world.gateway.counts.duplicates).toBe(2);
    await world.end();
  });

  it('#52 10,000 events in one burst, handlers 1 s each: commands go first, what is dropped is counted', async () => {
    let running = 0;
    let most = 0;
    let freed = (): void => {};
    const world = await openGatewayWorld({
      gateway: { maxWaitingEvents: 2_000 },
      busy: () => (running < 256 ? undefined : new Promise<void>((resolve) => (freed = resolve))),
      dispatch: () => {
        running += 1;
        most = Math.max(most, running);
        world.clock.setTimeout(() => {
          running -= 1;
          freed();
        }, 1_000);
      },
    });
    await world.ready();
    const { last } = world.server;
    for (let index = 0; index < 10_000; index += 1) {
      if (index % 100 === 99) last.command(`command ${index}`);
      else last.message(`message ${index}`);
    }
    await world.clock.push(0, () =>
      expect(world.ids.filter((id) => id.startsWith('command'))).toHaveLength(100),
    );
    expect(world.gateway.counts.waiting).toBeLessThanOrEqual(2_000);
    await world.clock.push(250, () => expect(world.gateway.counts.waiting).toBe(0));
    const { dropped } = world.gateway.counts;
    expect(dropped).toBeGreaterThan(0);
    expect(world.events.length + dropped).toBe(10_000);
    expect(most).toBeLessThanOrEqual(256 + 100);
    expect(world.log.filter((line) => line.includes('dropped'))).toHaveLength(2);
    expect(world.reasons).toEqual([]);
    await world.clock.push(250, () => expect(running).toBe(0));
    await world.end();
  });
});
