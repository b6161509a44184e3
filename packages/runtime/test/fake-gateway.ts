import type { GatewayStatus } from '@virgule/client/gateway';
import type { BotEvent, BotListener, GatewayPort } from '../src/command/gateway-port.js';
import type { Ready } from '@virgule/core/protocol';
import { BOT_USER, SERVER } from './ids.js';

export const READY: Ready = {
  applicationId: BOT_USER,
  botUserId: BOT_USER,
  username: 'dice',
  displayName: 'Dice',
  serverIds: [SERVER],
};

/** A gateway without a socket: events come when the test says so. */
export interface FakeGateway extends GatewayPort {
  readonly isOpen: boolean;
  /** Delivers one event, received now by default. */
  emit(t: string, d: unknown, receivedAtMs: number): void;
  /** Delivers one event as it is. */
  deliver(event: BotEvent): void;
  status(status: GatewayStatus, isElsewhere?: boolean): void;
  /** Asks whether events are to be held back, as a gateway does before each. */
  busy(): Promise<unknown> | undefined;
}

export interface FakeGatewayOptions {
  /** Makes `connect` reject with it. */
  readonly refusal?: Error | undefined;
  readonly deliversOnce?: true | undefined;
}

export function createFakeGateway({ refusal, deliversOnce }: FakeGatewayOptions = {}): FakeGateway {
  let listener: BotListener | undefined;
  let isOpen = false;
  return {
    deliversOnce,
    async connect(next) {
      if (refusal) throw refusal;
      listener = next;
      isOpen = true;
      next.status?.({ state: 'ready', ready: READY, reconnected: false });
      return READY;
    },
    async close() {
      isOpen = false;
    },
    get isOpen() {
      return isOpen;
    },
    emit: (t, d, receivedAtMs) => listener?.dispatch({ t, d, receivedAtMs }),
    deliver: (event) => listener?.dispatch(event),
    status: (status, isElsewhere) => listener?.status?.(status, isElsewhere),
    busy: () => listener?.busy?.(),
  };
}
