import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Ready } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import type { ToChild } from '../ipc.js';
import { createIpcGateway } from './ipc-gateway.js';

const READY: Ready = {
  applicationId: '00000000-0000-0000-0000-000000000001',
  botUserId: '00000000-0000-0000-0000-000000000002',
  username: 'demo-bot',
  displayName: 'Demo Bot',
  serverIds: [],
};
const IS_READY: ToChild = {
  type: 'status',
  status: { state: 'ready', ready: READY, reconnected: false },
};
const event = (d: unknown): GatewayEvent => ({ t: 'MESSAGE_CREATE', d, receivedAtMs: 5 });

/** A gateway, and what its listener received. */
function open() {
  const gateway = createIpcGateway();
  const received: unknown[] = [];
  const ready = gateway.connect({
    dispatch: (what) => received.push(what),
    status: (status: GatewayStatus) => received.push(status),
  });
  return { gateway, received, ready };
}

describe('createIpcGateway', () => {
  it('is ready when the process with the socket reports it', async () => {
    const { gateway, received, ready } = open();
    gateway.receive(IS_READY);
    expect(await ready).toEqual(READY);
    expect(received).toEqual([{ state: 'ready', ready: READY, reconnected: false }]);
  });

  it('passes events on as they are, with the time they came', () => {
    const { gateway, received } = open();
    gateway.receive({ type: 'event', number: 1, event: event(1) });
    gateway.receive({ type: 'event', number: 1, event: event(2) });
    gateway.receive({ type: 'event', number: 1, event: event(3), isDeferred: true });
    expect(received).toEqual([event(1), event(2), { ...event(3), isDeferred: true }]);
  });

  it('forwards the state of the connection', () => {
    const { gateway, received } = open();
    const status: GatewayStatus = {
      state: 'reconnecting',
      attempt: 1,
      delayMs: 100,
      reason: 'closed with 1006',
    };
    gateway.receive({ type: 'status', status });
    expect(received).toEqual([status]);
  });

  it('does without a listener for the status', () => {
    const gateway = createIpcGateway();
    void gateway.connect({ dispatch: () => {} });
    expect(() => gateway.receive(IS_READY)).not.toThrow();
  });

  it('is ready for one that connects only afterwards', async () => {
    const gateway = createIpcGateway();
    gateway.receive(IS_READY);
    expect(await gateway.connect({ dispatch: () => {} })).toEqual(READY);
  });

  it('reports nothing before it is connected, nor after it is closed', async () => {
    const early = createIpcGateway();
    expect(() => early.receive({ type: 'event', number: 1, event: event(1) })).not.toThrow();
    const { gateway, received } = open();
    await gateway.close();
    gateway.receive({ type: 'event', number: 1, event: event(1) });
    gateway.receive(IS_READY);
    expect(received).toEqual([]);
  });

  it('has nothing to do with reloads and the end', () => {
    const { gateway, received } = open();
    gateway.receive({ type: 'reload', number: 1, files: ['a'] });
    gateway.receive({ type: 'stop' });
    expect(received).toEqual([]);
  });
});
