import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startFaultProxy, type FaultProxy } from '../src/soak/fault-proxy.js';
import { FAULTS } from '../src/soak/faults.js';

interface Line {
  readonly proxy: FaultProxy;
  /** Paths that reached the server. */
  readonly reached: readonly string[];
  /** Asks through the proxy, on a connection of its own. */
  ask(path?: string): Promise<string>;
  /** Asks the server, past the proxy. */
  askDirectly(path: string): Promise<string>;
}

async function lineForTest(
  answer: RequestListener = (_question, reply) => reply.end('hello'),
): Promise<Line> {
  const reached: string[] = [];
  const server = createServer((question, reply) => {
    reached.push(question.url ?? '');
    answer(question, reply);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy = await startFaultProxy(port);
  onTestFinished(async () => {
    await proxy.close();
    server.closeAllConnections();
    server.close();
  });
  return {
    proxy,
    reached,
    ask: (path = '/') => askThrough(proxy.port, path),
    askDirectly: (path) => askThrough(port, path),
  };
}

/** Status and body, or the code of the error. */
function askThrough(port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
    const question = request({ port, path, host: '127.0.0.1', agent: false }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += chunk)).on('error', failed);
      reply.on('end', () => resolve(`${reply.statusCode} ${text}`));
    });
    question.on('error', failed).end();
  });
}

function fault(name: string) {
  const found = FAULTS.find((known) => known.name === name);
  if (!found) throw new Error(`There is no fault "${name}".`);
  return found;
}

describe('startFaultProxy', () => {
  it('forwards everything under normal conditions', async () => {
    const { ask, reached } = await lineForTest();
    expect(await ask('/a')).toBe('200 hello');
    expect(await ask('/b')).toBe('200 hello');
    expect(reached).toEqual(['/a', '/b']);
  });

  it('resets connections until conditions are restored', async () => {
    const { ask, proxy, reached } = await lineForTest();
    fault('refused').begin(proxy, true);
    expect(await ask()).toBe('ECONNRESET');
    proxy.restore();
    expect(await ask()).toBe('200 hello');
    expect(reached).toHaveLength(1);
  });

  it('holds data back, and forwards it later', async () => {
    const { ask, askDirectly, proxy, reached } = await lineForTest();
    fault('stalled').begin(proxy, true);
    const asked = ask('/held');
    expect(await askDirectly('/direct')).toBe('200 hello');
    expect(reached).toEqual(['/direct']);
    proxy.restore();
    expect(await asked).toBe('200 hello');
  });

  it('delays data, and keeps its order', async () => {
    const { ask, proxy } = await lineForTest((_question, reply) => {
      reply.write('one ');
      reply.write('two ');
      reply.end('three');
    });
    proxy.change({ delayMs: 20 }, true);
    expect(await ask()).toBe('200 one two three');
  });

  it('drops a response after the server handled the request', async () => {
    const { ask, proxy, reached } = await lineForTest();
    fault('lost responses').begin(proxy, true);
    expect(await ask('/done')).toBe('ECONNRESET');
    expect(reached).toEqual(['/done']);
  });

  it.each([
    ['503', '503 <html><body>Service Unavailable</body></html>'],
    ['429', expect.stringMatching(/^429 \{"code":"bot_rate_limited"/)],
  ])('responds with %s itself, without contacting the server', async (name, reply) => {
    const { ask, proxy, reached } = await lineForTest();
    fault(name).begin(proxy, true);
    expect(await ask()).toEqual(reply);
    expect(reached).toEqual([]);
  });

  it.each(['reset', 'truncated', 'half-close'])('%s ends an exchange', async (name) => {
    let reply: () => void = () => {};
    let onAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const { ask, proxy } = await lineForTest((_question, response) => {
      reply = () => response.end('x'.repeat(5_000));
      onAsked();
    });
    const answer = ask();
    await asked;
    fault(name).begin(proxy, true);
    reply();
    expect(await answer).toMatch(/^(ECONNRESET|HPE_INVALID_EOF_STATE|aborted)$/);
  });

  it('stops forwarding without closing, and serves new connections', async () => {
    let onAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const { ask, proxy } = await lineForTest((question, reply) => {
      if (question.url === '/blackhole') onAsked();
      else reply.end('hello');
    });
    let isOver = false;
    void ask('/blackhole').then(() => (isOver = true));
    await asked;
    fault('half-open').begin(proxy, true);
    expect(await ask()).toBe('200 hello');
    expect(isOver).toBe(false);
  });

  it('does not affect the gateway without withGateway', async () => {
    const { ask, proxy } = await lineForTest();
    fault('503').begin(proxy, false);
    expect(await ask('/gateway/bot')).toBe('200 hello');
    expect(await ask('/api')).toMatch(/^503/);
    fault('503').begin(proxy, true);
    expect(await ask('/gateway/bot')).toMatch(/^503/);
  });
});
