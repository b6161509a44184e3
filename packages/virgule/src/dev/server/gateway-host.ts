import { createGateway, type GatewayListener, type GatewayOptions } from '@virgule/client/gateway';
import type { GatewayPort } from '@virgule/runtime/project';
import type { Clock, Timer } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';

export interface GatewayHostOptions extends Omit<GatewayOptions, 'clock'> {
  readonly clock: Clock;
  /** Reaction to a connection that the platform closed permanently: open a new one, or report the error. */
  readonly whenClosed: 'reopen' | ((error: VirguleError) => void);
  /** @defaultValue a gateway with a socket */
  readonly createGateway?: ((options: GatewayOptions) => GatewayPort) | undefined;
}

/** Delays in milliseconds before a permanently closed connection is opened again. */
const REOPEN_MS = { first: 1_000, max: 30_000 };

/**
 * Creates a gateway that opens a permanently closed connection again, as after an injected fault of the simulator. On
 * a real platform, the close is reported once.
 */
export function createGatewayHost(options: GatewayHostOptions): GatewayPort {
  const { whenClosed, createGateway: create = createGateway, ...gatewayOptions } = options;
  const { clock } = options;
  let gateway = create(gatewayOptions);
  let timer: Timer | undefined;
  let delayMs = REOPEN_MS.first;
  let isClosed = false;

  function listenerFor(listener: GatewayListener): GatewayListener {
    return {
      ...listener,
      status(status) {
        if (status.state === 'ready') delayMs = REOPEN_MS.first;
        if (status.state !== 'closed' || !status.error) listener.status?.(status);
        else if (isClosed) return;
        else if (whenClosed === 'reopen') reopen(listener, status.error);
        else whenClosed(status.error);
      },
    };
  }

  function reopen(listener: GatewayListener, { message: reason }: VirguleError): void {
    listener.status?.({ state: 'reconnecting', reason, attempt: 1, delayMs });
    timer = clock.setTimeout(() => {
      gateway = create(gatewayOptions);
      // The gateway's status reports the outcome.
      gateway.connect(listenerFor(listener)).catch(() => {});
    }, delayMs);
    delayMs = Math.min(delayMs * 2, REOPEN_MS.max);
  }

  return {
    connect: (listener) => gateway.connect(listenerFor(listener)),
    async close() {
      isClosed = true;
      timer?.cancel();
      await gateway.close();
    },
  };
}
