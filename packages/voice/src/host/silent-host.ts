import { createEngine, type EngineOptions } from './engine.js';
import type { Host } from './message.js';

/** Creates a host that sends nothing, on its clock: for tests of bots, which have no media server. */
export function createSilentHost(options: Omit<EngineOptions, 'loadTransport' | 'fetch'>): Host {
  return createEngine({
    ...options,
    fetch: async () => new Response('v=0', { status: 201, headers: { location: '/session' } }),
    async loadTransport() {
      return () => {
        let connect = (): void => {};
        return {
          offer: async () => 'v=0',
          accept: async () => connect(),
          send() {},
          onState: (listener) => (connect = () => listener('connected')),
          async close() {},
        };
      };
    },
  });
}
