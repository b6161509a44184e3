import type { GatewayListener, GatewayStatus } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { isVirguleError, VirguleError } from '@virgule/core/errors';
import type { Ready } from '@virgule/core/protocol';
import { describe, expect, it, vi } from 'vitest';
import { createGatewayHost } from './gateway-host.js';

const READY: Ready = {
  applicationId: 'a',
  botUserId: 'b',
  username: 'bot',
  displayName: 'Bot',
  serverIds: [],
};
const REFUSED = new VirguleError({ code: 'E_UNAUTHORIZED', kind: 'user', message: 'refused' });

function keep(whenClosed: 'reopen' | ((error: VirguleError) => void)) {
  const clock = createFakeClock();
  const opened: { listener?: GatewayListener; closed: boolean }[] = [];
  const host = createGatewayHost({
    token: 'token',
    gatewayUrl: 'ws://127.0.0.1:1',
    clock,
    whenClosed,
    createGateway() {
      const socket: (typeof opened)[number] = { closed: false };
      opened.push(socket);
      return {
        async connect(listener) {
          socket.listener = listener;
          return READY;
        },
        close: async () => void (socket.closed = true),
      };
    },
  });
  const received: GatewayStatus[] = [];
  const events: unknown[] = [];
  const connect = () =>
    host.connect({
      dispatch: (event) => events.push(event),
      status: (status) => received.push(status),
    });
  const end = (index: number) =>
    opened[index]?.listener?.status?.({ state: 'closed', error: REFUSED });
  return { clock, host, opened, received, events, connect, end };
}

describe('createGatewayHost', () => {
  it('passes on what happens, and nothing of its own', async () => {
    const { host, opened, received, events, connect } = keep('reopen');
    expect(await connect()).toBe(READY);
    opened[0]?.listener?.dispatch({ t: 'X', d: 1, receivedAtMs: 0 });
    opened[0]?.listener?.status?.({ state: 'ready', ready: READY, reconnected: false });
    opened[0]?.listener?.status?.({ state: 'closed' });
    expect([events.length, received.map(({ state }) => state)]).toEqual([1, ['ready', 'closed']]);
    await host.close();
    expect(opened.map(({ closed }) => closed)).toEqual([true]);
  });

  it('opens another connection when a simulator ended one for good, later each time', async () => {
    const { clock, opened, received, connect, end } = keep('reopen');
    await connect();
    for (const [index, delayMs] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      end(index);
      expect(received.at(-1)).toEqual({
        state: 'reconnecting',
        reason: 'refused',
        attempt: 1,
        delayMs,
      });
      await clock.advance(delayMs - 1);
      expect(opened).toHaveLength(index + 1);
      await clock.advance(1);
      expect(opened).toHaveLength(index + 2);
    }
    opened.at(-1)?.listener?.status?.({ state: 'ready', ready: READY, reconnected: false });
    end(opened.length - 1);
    expect(received.at(-1)).toMatchObject({ delayMs: 1_000 });
    // A bot that receives a final `closed` would close itself.
    expect(received.some(({ state }) => state === 'closed')).toBe(false);
  });

  it('opens none once it is closed', async () => {
    const { clock, host, opened, connect, end } = keep('reopen');
    await connect();
    end(0);
    await host.close();
    end(0);
    await clock.advance(60_000);
    expect(opened).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  it('reports when a real platform ended the connection for good, and opens none', async () => {
    const whenClosed = vi.fn<(error: VirguleError) => void>();
    const { clock, opened, received, connect, end } = keep(whenClosed);
    await connect();
    end(0);
    await clock.advance(60_000);
    expect(whenClosed).toHaveBeenCalledExactlyOnceWith(REFUSED);
    expect(isVirguleError(whenClosed.mock.calls[0]?.[0], 'E_UNAUTHORIZED')).toBe(true);
    expect([opened.length, received]).toEqual([1, []]);
  });
});
