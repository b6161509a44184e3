import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayOptions,
  type GatewayStatus,
} from '@virgule/client/gateway';
import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { onTestFinished } from 'vitest';
import { TOKEN } from './test-rest.js';

export interface Session {
  readonly gateway: Gateway;
  readonly clock: FakeClock;
  readonly events: readonly GatewayEvent[];
  readonly statuses: readonly GatewayStatus[];
  /** READY, or the error of `connect()`. */
  readonly connected: Promise<unknown>;
}

/** Connects over a real socket, with fake time and the smallest random numbers: there is no delay. */
export function connectTo(address: string, options: Partial<GatewayOptions> = {}): Session {
  const clock = createFakeClock();
  const gateway = createGateway({
    log: silentLog,
    token: TOKEN,
    gatewayUrl: `ws://${address}`,
    clock,
    random: () => 0,
    ...options,
  });
  const events: GatewayEvent[] = [];
  const statuses: GatewayStatus[] = [];
  const connected = gateway
    .connect({
      dispatch: (event) => void events.push(event),
      status: (status) => void statuses.push(status),
    })
    .catch((error: unknown) => error);
  onTestFinished(() => void gateway.close());
  return { gateway, clock, events, statuses, connected };
}
