import { describe, expect, it } from 'vitest';
import { COMMAND, connectGateway, makeReady } from './test-gateway.js';

const message = (id: number) => ({ op: 'DISPATCH', t: 'MESSAGE_CREATE', d: { id: `m${id}` } });
const command = (interactionId: string) => ({
  op: 'DISPATCH',
  t: 'APPLICATION_COMMAND',
  d: { ...Object(COMMAND).d, interactionId },
});

describe('a busy listener', () => {
  it('delivers commands at once, loses only the oldest messages of a burst, and reports it', async () => {
    let resume: () => void = () => {};
    let busy: Promise<void> | undefined = new Promise((resolve) => (resume = resolve));
    const test = connectGateway({ maxWaitingEvents: 100 }, { busy: () => busy });
    makeReady(test);
    for (let n = 0; n < 10_000; n += 1) {
      test.sockets.last.frame(message(n));
      if (n % 100 === 0) test.sockets.last.frame(command(`c${n}`));
    }
    expect(test.events).toHaveLength(100);
    expect(test.events.every(({ t }) => t === 'APPLICATION_COMMAND')).toBe(true);
    expect(test.gateway.counts).toMatchObject({ dropped: 9_900, waiting: 100 });
    expect(test.log).toHaveLength(1);

    busy = undefined;
    resume();
    await test.clock.advance(0);
    const messages = test.events.slice(100).map(({ d }) => Object(d).id);
    expect(messages).toEqual(Array.from({ length: 100 }, (_, n) => `m${9_900 + n}`));
    expect(test.gateway.counts).toMatchObject({ dropped: 9_900, waiting: 0 });
    expect(test.log.map((line) => JSON.parse(line))).toMatchObject([
      { message: expect.stringContaining('oldest messages are dropped') },
      { dropped: 9_900 },
    ]);
  });

  it('keeps the socket alive: heartbeats continue while events wait', async () => {
    const test = connectGateway({}, { busy: () => new Promise(() => {}) });
    makeReady(test);
    test.sockets.last.frame(message(1));
    await test.clock.advance(13_750);
    expect(test.sockets.last.sent.at(-1)).toEqual({ op: 'HEARTBEAT' });
    expect(test.events).toEqual([]);
  });

  it('is not asked twice when asking throws: the event is delivered', () => {
    const test = connectGateway(
      {},
      {
        busy: () => {
          throw new Error('busy');
        },
      },
    );
    makeReady(test);
    test.sockets.last.frame(message(1));
    expect(test.events).toHaveLength(1);
  });
});
