import { createGateway, type GatewayListener, type GatewayOptions } from '@virgule/client/gateway';
import type { GatewayPort } from '@virgule/runtime/project';
import type { Clock, Timer } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';

export interface GatewayHostOptions extends Omit<GatewayOptions, 'clock'> {
  readonly clock: Clock;
  /** What to do when the platform closes the connection for good: open another one, or report it. */
  readonly whenClosed: 'reopen' | ((error: VirguleError) => void);
  /** @defaultValue a socket */
  readonly createGateway?: ((options: GatewayOptions) => GatewayPort) | undefined;
}

/** A platform that ended the connection for good is tried again after this long, in milliseconds. */
const REOPEN_MS = { first: 1_000, max: 30_000 };

/**
 * Creates a gateway whose consumers are not notified when it is closed for good. The private simulator may
 * do that as an injected fault, and another connection is opened; on a real platform it is reported once,
 * and the caller decides.
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
      // Its status reports the outcome.
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
