import type { BotListener } from '@virgule/runtime/bot';
import type { Ready } from '@virgule/core/protocol';
import type { ToChild } from '../ipc.js';

/** Creates the gateway of a bot whose parent process holds the socket. */
export function createIpcGateway() {
  let listener: BotListener | null = null;
  let resolveReady: (ready: Ready) => void;
  const ready = new Promise<Ready>((resolve) => (resolveReady = resolve));

  return {
    /** Receives a message from the process that holds the socket. */
    receive(message: ToChild): void {
      if (message.type === 'event') {
        const { event, isDeferred } = message;
        listener?.dispatch(isDeferred ? { ...event, isDeferred } : event);
      }
      if (message.type !== 'status') return;
      const { status } = message;
      if (status.state === 'ready') resolveReady(status.ready);
      listener?.status?.(status);
    },
    connect(next: BotListener): Promise<Ready> {
      listener = next;
      return ready;
    },
    close: async (): Promise<void> => void (listener = null),
  };
}
