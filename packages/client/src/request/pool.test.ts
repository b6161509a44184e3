import { systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { plainRequest } from '../../test/plain-request.js';
import { startScriptedServer } from '../../test/scripted-server.js';
import { type HttpHandler, createPools } from './pool.js';

/** A request to a pool, and how it ends. */
function ask(origin: string) {
  const pools = createPools({ origin, clock: systemClock, findProxy: () => undefined });
  const ended = new Promise<number | Error>((resolve) => {
    const handler: HttpHandler = {
      onRequestStart: () => {},
      onResponseStart: (_controller, status) => resolve(status),
      onResponseData: () => {},
      onResponseEnd: () => {},
      onResponseError: (_controller, error) => resolve(error),
    };
    pools.to(origin, 'general').dispatch(plainRequest(origin), handler);
  });
  return { pools, ended };
}

describe('createPools', () => {
  it('sends what was asked of it while undici was still loading', async () => {
    const server = await startScriptedServer(() => ({ status: 204 }));
    const { pools, ended } = ask(server.url);
    expect(await ended).toBe(204);
    await pools.destroy();
  });

  it('opens no connection any more when it is destroyed while undici is loading', async () => {
    const server = await startScriptedServer(() => ({ status: 204 }));
    const { pools, ended } = ask(server.url);
    await pools.destroy();
    expect(await ended).toEqual(new Error('The client is closed.'));
    expect(server.requests).toHaveLength(0);
  });
});
