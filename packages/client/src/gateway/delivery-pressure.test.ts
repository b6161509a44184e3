import { createFakeClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { Delivery } from './delivery.js';
import { resolveGatewayOptions } from './gateway-options.js';
import type { GatewayListener } from './port.js';

function openDelivery(maxWaitingEvents: number, listener: GatewayListener, log: Log = silentLog) {
  const gatewayUrl = 'ws://localhost';
  const delivery = new Delivery(
    resolveGatewayOptions({ token: 'x', gatewayUrl, log, maxWaitingEvents }),
  );
  delivery.start(listener);
  return delivery;
}

function open({ max = 3 } = {}) {
  const delivered: string[] = [];
  const logged: unknown[] = [];
  const recorded = (details: object): void => void logged.push(details);
  let waits: (() => void)[] = [];
  let isBusy = false;
  const listener: GatewayListener = {
    dispatch: ({ t, d }) => void delivered.push(`${t} ${String(d)}`),
    busy: () => (isBusy ? new Promise<void>((resolve) => waits.push(resolve)) : undefined),
  };
  const queue = openDelivery(max, listener, { ...silentLog, warn: recorded, error: recorded });
  return {
    queue,
    delivered,
    logged,
    push: (t: string, d: number) => queue.take({ t, d, receivedAtMs: 0 }),
    setBusy: (next: boolean) => void (isBusy = next),
    /** The receiver asks for more. */
    async resume(next: boolean) {
      isBusy = next;
      const now = waits;
      waits = [];
      for (const resolve of now) resolve();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('Delivery to a busy listener', () => {
  it('hands everything over at once to a receiver that is not busy', () => {
    const { push, delivered, queue } = open();
    for (let n = 0; n < 10; n += 1) push('MESSAGE_CREATE', n);
    expect(delivered).toHaveLength(10);
    expect([queue.counts.waiting, queue.counts.dropped]).toEqual([0, 0]);
  });

  it('keeps the order while the receiver is busy, and after', async () => {
    const { push, setBusy, resume, delivered, queue } = open();
    setBusy(true);
    push('MESSAGE_CREATE', 1);
    push('VOICE_STATE_UPDATE', 2);
    setBusy(false);
    push('MESSAGE_CREATE', 3);
    expect([delivered, queue.counts.waiting]).toEqual([[], 3]);
    await resume(false);
    push('MESSAGE_CREATE', 4);
    expect(delivered).toEqual([
      'MESSAGE_CREATE 1',
      'VOICE_STATE_UPDATE 2',
      'MESSAGE_CREATE 3',
      'MESSAGE_CREATE 4',
    ]);
  });

  it('waits again when the receiver becomes busy on the way', async () => {
    const { push, setBusy, resume, delivered, queue } = open();
    setBusy(true);
    for (const n of [1, 2, 3]) push('X', n);
    await resume(true);
    expect([delivered, queue.counts.waiting]).toEqual([[], 3]);
    await resume(false);
    expect(delivered).toEqual(['X 1', 'X 2', 'X 3']);
  });

  it('never lets a command wait', () => {
    const { push, setBusy, delivered } = open();
    setBusy(true);
    for (const n of [1, 2, 3, 4, 5]) push('MESSAGE_CREATE', n);
    push('APPLICATION_COMMAND', 6);
    expect(delivered).toEqual(['APPLICATION_COMMAND 6']);
  });

  it('drops the oldest message first, and anything else only when there is none', async () => {
    const { push, setBusy, resume, delivered, queue } = open();
    setBusy(true);
    push('VOICE_STATE_UPDATE', 1);
    push('MESSAGE_CREATE', 2);
    push('MESSAGE_REACTION_ADD', 3);
    push('VOICE_STATE_UPDATE', 4);
    push('VOICE_STATE_UPDATE', 5);
    push('VOICE_STATE_UPDATE', 6);
    expect([queue.counts.waiting, queue.counts.dropped]).toEqual([3, 3]);
    await resume(false);
    expect(delivered).toEqual([
      'VOICE_STATE_UPDATE 4',
      'VOICE_STATE_UPDATE 5',
      'VOICE_STATE_UPDATE 6',
    ]);
  });

  it('reports when it begins to drop and when that ends, not each one', async () => {
    const { push, setBusy, resume, logged } = open();
    setBusy(true);
    for (let n = 0; n < 100; n += 1) push('MESSAGE_CREATE', n);
    expect(logged).toEqual([{ waiting: 3 }]);
    await resume(false);
    expect(logged).toEqual([{ waiting: 3 }, { dropped: 97 }]);
  });

  it('continues after a promise that rejects', async () => {
    const delivered: unknown[] = [];
    let asked = 0;
    const queue = openDelivery(3, {
      dispatch: ({ d }) => void delivered.push(d),
      busy: () => ((asked += 1) === 1 ? Promise.reject(new Error('no')) : undefined),
    });
    queue.take({ t: 'X', d: 1, receivedAtMs: 0 });
    await Promise.resolve();
    await Promise.resolve();
    expect(delivered).toEqual([1]);
  });

  it('delivers nothing any more once it is closed, and reports what was left', async () => {
    const { queue, push, setBusy, resume, delivered, logged } = open();
    setBusy(true);
    push('X', 1);
    queue.close();
    push('X', 2);
    push('APPLICATION_COMMAND', 3);
    await resume(false);
    expect([delivered, logged, queue.counts.waiting]).toEqual([[], [{ left: 1 }], 0]);
  });

  it('keeps the order of what comes while it hands over', async () => {
    const delivered: unknown[] = [];
    let resolve: () => void = () => {};
    let first: Promise<void> | undefined = new Promise((done) => (resolve = done));
    const queue: Delivery = openDelivery(10, {
      dispatch: ({ d }) => {
        delivered.push(d);
        if (d === 1) queue.take({ t: 'X', d: 3, receivedAtMs: 0 });
      },
      busy: () => first,
    });
    queue.take({ t: 'X', d: 1, receivedAtMs: 0 });
    queue.take({ t: 'X', d: 2, receivedAtMs: 0 });
    first = undefined;
    resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(delivered).toEqual([1, 2, 3]);
  });
});

const clock = createFakeClock();
/** Lets all that is due happen. */
const turn = (): Promise<void> => clock.advance(0);

describe('busy()', () => {
  /** Takes three events with a listener whose `busy` is the given function; returns what came of it after some turns. */
  async function deliver(busy: (delivered: readonly unknown[]) => unknown) {
    const delivered: unknown[] = [];
    const logged: string[] = [];
    let asked = 0;
    const recorded = (_: object, message: string): void => void logged.push(message);
    const listener = {
      dispatch: ({ d }) => void delivered.push(d),
      busy: () => {
        asked += 1;
        // Promises that spin would never let the test fail.
        return asked > 1_000 ? undefined : (busy(delivered) as Promise<unknown> | undefined);
      },
    } satisfies GatewayListener;
    const queue = openDelivery(10, listener, { ...silentLog, warn: recorded, error: recorded });
    for (const d of [1, 2, 3]) queue.take({ t: 'X', d, receivedAtMs: 0 });
    const first = [...delivered];
    for (let n = 0; n < 10; n += 1) await turn();
    return { first, delivered, logged, asked, queue };
  }

  it.each([
    ['is async and has nothing to wait for', async () => {}],
    ['is async and always waits for a turn', async () => turn()],
    ['always returns a settled promise', () => Promise.resolve()],
    ['always returns a promise that rejects', () => Promise.reject(new Error('no'))],
    ['returns something else than a promise', () => true],
  ])('that %s is asked at most twice for each event', async (_, busy) => {
    const { delivered, asked, queue } = await deliver(busy);
    expect(delivered).toEqual([1, 2, 3]);
    expect(asked).toBeLessThanOrEqual(6);
    expect(queue.counts.waiting).toBe(0);
  });

  it('that is async holds the events back until its promise settles', async () => {
    let release: () => void = () => {};
    const slot = new Promise<void>((resolve) => (release = resolve));
    const { delivered, logged, queue } = await deliver(async (done) => {
      if (done.length > 0) await slot;
    });
    expect([delivered, queue.counts.waiting]).toEqual([[1], 2]);
    release();
    await turn();
    expect([delivered, queue.counts.waiting]).toEqual([[1, 2, 3], 0]);
    expect(logged).toEqual([]);
  });

  it.each([[undefined], [null], [false]])('that returns %j is not busy', async (value) => {
    const { first, logged } = await deliver(() => value);
    expect([first, logged]).toEqual([[1, 2, 3], []]);
  });
});
