import { describe, expect, it } from 'vitest';
import type { SimEvent } from '@virgule/core/simulator-api';
import { snapshot } from '../../test/sample-world.js';
import { type Connection, openUiSocket } from './ui-socket.js';

/** A browser whose sockets and timers the test controls. */
function start() {
  const sockets: EventTarget[] = [];
  const timers = new Map<number, { readonly callback: () => void; readonly delayMs: number }>();
  const connections: Connection[] = [];
  const events: SimEvent[] = [];
  let closed = 0;
  const socket = openUiSocket({
    onConnection: (connection) => connections.push(connection),
    onEvent: (event) => events.push(event),
    open() {
      const target = Object.assign(new EventTarget(), { close: () => (closed += 1) });
      sockets.push(target);
      // The target has only the parts of a WebSocket that the code under test uses.
      return target as unknown as WebSocket;
    },
    setTimer(callback, delayMs) {
      timers.set(timers.size, { callback, delayMs });
      return timers.size - 1;
    },
    clearTimer: (timer) => void timers.delete(timer),
  });
  return {
    socket,
    connections,
    events,
    sockets,
    timers,
    closedCount: () => closed,
    send: (data: unknown) => sockets.at(-1)?.dispatchEvent(new MessageEvent('message', { data })),
    lose: () => sockets.at(-1)?.dispatchEvent(new Event('close')),
    lastDelayMs: () => [...timers.values()].at(-1)?.delayMs,
    fire: () => [...timers.values()].at(-1)?.callback(),
  };
}

const hello = JSON.stringify([{ type: 'snapshot', snapshot: snapshot() }]);

describe('openUiSocket', () => {
  it('is open once the snapshot is there', () => {
    const page = start();
    expect(page.connections).toEqual(['connecting']);
    page.send(hello);
    expect(page.connections.at(-1)).toBe('open');
    page.send('[{"type":"problems","problems":[]},{"type":"reloaded","files":[]}]');
    expect(page.events.map((event) => event.type)).toEqual(['snapshot', 'problems', 'reloaded']);
  });

  it('comes back after a growing wait, and starts small again after a snapshot', () => {
    const page = start();
    page.lose();
    expect(page.connections.at(-1)).toBe('lost');
    expect(page.lastDelayMs()).toBe(500);
    for (const delayMs of [1000, 2000, 4000, 5000, 5000]) {
      page.fire();
      page.lose();
      expect(page.lastDelayMs()).toBe(delayMs);
    }
    page.fire();
    page.send(hello);
    page.lose();
    expect(page.lastDelayMs()).toBe(500);
    expect(page.sockets).toHaveLength(7);
  });

  it('tries at once when asked to, and begins again with a snapshot if it is open', () => {
    const page = start();
    page.lose();
    page.socket.reconnectNow();
    expect([page.sockets.length, page.timers.size]).toEqual([2, 0]);
    page.send(hello);
    const before = page.closedCount();
    page.socket.reconnectNow();
    expect([page.sockets.length, page.closedCount() - before]).toEqual([3, 1]);
    // Frames of the former connection are ignored.
    page.sockets[1]?.dispatchEvent(new MessageEvent('message', { data: hello }));
    page.sockets[1]?.dispatchEvent(new Event('close'));
    expect([page.events.length, page.connections.at(-1)]).toEqual([1, 'open']);
    page.send(hello);
    expect(page.events).toHaveLength(2);
  });

  it('passes over what is not a frame', () => {
    const page = start();
    for (const data of [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"a":1}',
      '[null,1,{"a":1}]',
      new ArrayBuffer(1),
    ])
      page.send(data);
    expect(page.events).toEqual([]);
  });
});
