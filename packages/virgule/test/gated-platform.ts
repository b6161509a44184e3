import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Simulator } from '@virgule/simulator';
import { onTestFinished } from 'vitest';

/** Treatment of a request: it is forwarded, or answered here, or its connection ends. */
export type Gate = (
  line: string,
) =>
  | Promise<void>
  | void
  | { readonly status: number; readonly body: object; readonly headers?: Record<string, string> }
  | 'cut before'
  | 'cut after';

/**
 * A line to a platform that the test can hold up, answer on, and cut. Returns the address and the requests,
 * in order.
 */
export async function openGatedPlatform(platform: Simulator, gate: Gate) {
  const lines: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const line = `${incoming.method} ${(incoming.url ?? '').replace('/api/bot/v1', '')}`;
    lines.push(line);
    void pass(incoming, outgoing, line);
  });

  async function pass(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    line: string,
  ): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const verdict = await gate(line);
    if (verdict === 'cut before') {
      incoming.socket.destroy();
      return;
    }
    if (typeof verdict === 'object') {
      outgoing.writeHead(verdict.status, {
        'content-type': 'application/json',
        ...verdict.headers,
      });
      outgoing.end(JSON.stringify(verdict.body));
      return;
    }
    const { method, url, headers } = incoming;
    const onward = request(new URL(url ?? '', platform.baseUrl), { method, headers }, (answer) => {
      if (verdict === 'cut after') {
        answer.resume();
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.end(Buffer.concat(chunks));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, lines };
}
