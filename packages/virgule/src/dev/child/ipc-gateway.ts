import type { GatewayListener } from '@virgule/client/gateway';
import type { GatewayPort } from '@virgule/runtime';
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
      if (message.type === 'event') listener?.dispatch(message.event);
      if (message.type !== 'status') return;
      const { status } = message;
      if (status.state === 'ready') resolveReady(status.ready);
      listener?.status?.(status);
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
