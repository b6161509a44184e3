import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A platform whose clock is wrong: what it answers, with another `Date`. */
export interface SkewedProxy {
  readonly baseUrl: string;
  /** The `Authorization` of each request, in their order. */
  readonly authorizations: readonly (string | undefined)[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Passes requests on to a platform. `date` makes the header of an answer; `null` leaves it out. */
export async function startSkewedProxy(
  target: string,
  date: () => string | null,
): Promise<SkewedProxy> {
  const authorizations: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    authorizations.push(authorization);
    const headers = new Headers(
      authorization === undefined ? [] : [['authorization', authorization]],
    );
    void fetch(`${target}${request.url ?? ''}`, { method: request.method ?? 'GET', headers }).then(
      async (answer) => {
        response.sendDate = false;
        const value = date();
        if (value !== null) response.setHeader('date', value);
        response.setHeader('content-type', answer.headers.get('content-type') ?? 'text/plain');
        response.statusCode = answer.status;
        response.end(await answer.text());
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    authorizations,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
