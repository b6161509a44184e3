import type { GatewayPort } from '@virgule/client/gateway';
import { settlesWithin, systemClock } from '@virgule/core/clock';

/** How long an event may take that was caused, on the clock of this machine. It may never come: a bot does not see everything. */
const PATIENCE_MS = 2_000;

/** A gateway, and what came by it. */
export interface Arrivals {
  readonly gateway: GatewayPort;
  /** Resolves when the next event of this name has been handed over, or will not be any more. */
  next(event: string): Promise<void>;
}

export function createArrivals(gateway: GatewayPort): Arrivals {
  let waiting: { readonly event: string; readonly resolve: () => void }[] = [];

  function arrived(event: string): void {
    const [here, others] = [true, false].map((is) =>
      waiting.filter((each) => (each.event === event) === is),
    );
    waiting = others ?? [];
    for (const { resolve } of here ?? []) resolve();
  }

  return {
    gateway: {
      connect: (listener) =>
        gateway.connect({
          ...listener,
          dispatch(event) {
            listener.dispatch(event);
            arrived(event.t);
          },
        }),
      close: () => gateway.close(),
    },
    async next(event) {
      const came = new Promise<void>((resolve) => waiting.push({ event, resolve }));
      await settlesWithin(came, PATIENCE_MS, systemClock);
    },
  };
}
