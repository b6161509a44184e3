import { soon } from '@virgule/core/clock';
import type { Host, HostReply } from './message.js';
import { createEngine, type EngineOptions } from './engine.js';

/** Creates a host in this process: what blocks its event loop interrupts the audio. */
export function createLocalHost(options: Omit<EngineOptions, 'reply'>): Host {
  const listeners: ((reply: HostReply) => void)[] = [];
  // As from another process: never during a call.
  const reply = (message: HostReply): void =>
    soon(() => {
      for (const listener of listeners) listener(message);
    });
  const engine = createEngine({ ...options, reply });
  return {
    send: (request) => engine.receive(request),
    onReply: (listener) => void listeners.push(listener),
    onGone: () => {},
    async close() {
      await engine.closeAll();
    },
  };
}
