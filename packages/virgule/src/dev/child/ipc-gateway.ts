import type { GatewayListener, GatewayPort } from '@virgule/client/gateway';
import type { Ready } from '@virgule/core/protocol';
import type { ToChild } from '../ipc.js';

export interface IpcGateway extends GatewayPort {
  /** Takes a message of the process that holds the socket. */
  receive(message: ToChild): void;
}

/** Creates the gateway of a bot whose socket is held by its parent process. */
export function createIpcGateway(): IpcGateway {
  let listener: GatewayListener | null = null;
  let resolveReady: (ready: Ready) => void;
  const ready = new Promise<Ready>((resolve) => {
    resolveReady = resolve;
  });

  return {
    receive(message) {
      if (message.type === 'ready') {
        resolveReady(message.ready);
        listener?.status?.({ state: 'ready', ready: message.ready, reconnected: false });
      } else if (message.type === 'event') {
        listener?.dispatch(message.event);
      } else if (message.type === 'status') {
        listener?.status?.(message.status);
      }
    },
    connect(next) {
      listener = next;
      return ready;
    },
    async close() {
      listener = null;
    },
  };
}
