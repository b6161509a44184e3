import { networkInterfaces } from 'node:os';
import { once } from 'node:events';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

const KEY = 'the-key-that-was-printed';
const outer = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

async function open(): Promise<Simulator> {
  const simulator = await startSimulator({ host: '0.0.0.0', accessKey: KEY });
  onTestFinished(() => simulator.close());
  return simulator;
}

describe('accessKey', () => {
  it('lets this machine in without it, by a loopback name', async () => {
    const { port, token } = await open();
    const { statusCode } = await request(`http://127.0.0.1:${port}/_sim/state`);
    expect(statusCode).toBe(200);
    const socket = new WebSocket(`ws://localhost:${port}/gateway/bot`);
    await once(socket, 'open');
    socket.send(JSON.stringify({ op: 'IDENTIFY', d: { token } }));
    await once(socket, 'message');
    socket.terminate();
  });

  it('asks this machine too under any other name: a page elsewhere may have rebound it', async () => {
    const { port } = await open();
    const headers = { host: `evil.example:${port}` };
    const { statusCode } = await request(`http://127.0.0.1:${port}/_sim/state`, { headers });
    expect(statusCode).toBe(401);
  });

  describe.skipIf(outer === undefined)('requires the key for requests to another address', () => {
    const address = (simulator: Simulator, path: string): string =>
      `http://${outer}:${simulator.port}${path}`;

    it.each(['/', '/_sim/state', '/api/bot/v1/users/@me', '/?access=wrong', '/?access='])(
      'refuses %s',
      async (path) => {
        const simulator = await open();
        const headers = { authorization: `Bot ${simulator.token}` };
        const { statusCode, body } = await request(address(simulator, path), { headers });
        expect([statusCode, await body.json()]).toEqual([
          401,
          expect.objectContaining({ code: 'sim_no_access' }),
        ]);
      },
    );

    it('refuses sockets', async () => {
      const simulator = await open();
      for (const path of ['/_ui', '/gateway/bot']) {
        const socket = new WebSocket(address(simulator, path).replace('http', 'ws'));
        const [error] = (await once(socket, 'error')) as [Error];
        expect(error.message).toContain('401');
      }
    });

    it('remembers the browser that came by the address with the key, and takes the key out of it', async () => {
      const simulator = await open();
      const first = await request(address(simulator, `/s/a/c/b?x=1&access=${KEY}&y=2`));
      expect([first.statusCode, first.headers['location']]).toEqual([303, '/s/a/c/b?x=1&y=2']);
      const set = String(first.headers['set-cookie']);
      expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
      const headers = { cookie: `other=1; ${set.split(';', 1)[0]}` };
      const { statusCode } = await request(address(simulator, '/_sim/state'), { headers });
      expect(statusCode).toBe(200);
      const socket = new WebSocket(address(simulator, '/_ui').replace('http', 'ws'), { headers });
      await once(socket, 'open');
      socket.terminate();
    });

    it('redirects only to this server', async () => {
      const simulator = await open();
      const { headers } = await request(address(simulator, `//evil.example/?access=${KEY}`));
      expect(headers['location']).toBe('/evil.example/');
      expect((await request(address(simulator, '//'))).statusCode).toBe(401);
    });
  });
});
