import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Clock } from '@virgule/core/clock';
import { onTestFinished } from 'vitest';

/** Faults of the bytes of one direction. */
export interface StreamFault {
  /** So many bytes pass before `cut`; 0 when absent. */
  readonly afterBytes?: number;
  /**
   * Fault after these bytes: both ends are reset; both ends are closed, which cuts an answer short; this
   * direction is closed and the other one lives on; or the rest is swallowed.
   */
  readonly cut?: 'reset' | 'close' | 'half-close' | 'stall';
  /** The lowest bit of this byte is turned over. */
  readonly flipAt?: number;
  /** Bytes pass in pieces of this size, one piece every `everyMs`. */
  readonly pieceBytes?: number;
  /** Time before each piece, in milliseconds of the test's clock. */
  readonly everyMs?: number;
}

/** Faults of one connection. */
export interface LinkFault {
  /** Fault of the connection itself, in place of a server. */
  readonly accept?: 'reset' | 'close' | 'stall';
  readonly toServer?: StreamFault;
  readonly toClient?: StreamFault;
}

export interface FaultProxy {
  /** Host and port. */
  readonly address: string;
  /** Connections that came in so far. */
  readonly connections: number;
  /** Connections that the client holds open now. */
  readonly open: number;
  /** Stops listening: connections are refused. Open ones stay. */
  refuse(): Promise<void>;
  /** Listens again, on the same port. */
  listen(): Promise<void>;
  /** From now on every open connection swallows what comes in, both ways. */
  swallow(): void;
  /** Resets every open connection. */
  reset(): void;
  close(): Promise<void>;
}

export interface FaultProxyOptions {
  /** Host and port of the server behind. */
  readonly target: string;
  readonly clock: Clock;
  /** Returns the faults of each connection, counted from 0. */
  readonly plan?: (index: number) => LinkFault;
}

/** A TCP proxy that a test controls. It is closed when the test ends. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const links = new Set<Link>();
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const link = new Link(client, options.plan?.(connections) ?? {}, options);
    connections += 1;
    links.add(link);
    client.on('close', () => links.delete(link));
  });
  const listenOn = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listenOn(0);
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const link of links) link.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return {
    address: `127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
    get open() {
      return links.size;
    },
    async refuse() {
      // Its callback comes only when the open connections have ended, too.
      server.close();
      await Promise.resolve();
    },
    listen: () => listenOn(port),
    swallow() {
      for (const link of links) link.swallow();
    },
    reset() {
      for (const link of links) link.reset();
    },
    close,
  };
}

/** One connection through the proxy. */
class Link {
  readonly #client: Socket;
  readonly #server: Socket | undefined;
  readonly #over = new AbortController();
  #isSwallowing = false;

  constructor(client: Socket, fault: LinkFault, { target, clock }: FaultProxyOptions) {
    this.#client = client;
    client.setNoDelay(true);
    client.on('error', () => {});
    client.on('close', () => this.destroy());
    if (fault.accept === 'reset') this.reset();
    if (fault.accept === 'close') client.end();
    if (fault.accept !== undefined) {
      client.resume().on('end', () => client.end());
      return;
    }
    const [host, port] = target.split(':');
    this.#server = connect({ host, port: Number(port), allowHalfOpen: true, noDelay: true });
    this.#server.on('error', () => this.reset());
    this.#server.on('close', () => client.destroySoon());
    this.#relay(client, this.#server, fault.toServer ?? {}, clock);
    this.#relay(this.#server, client, fault.toClient ?? {}, clock);
  }

  swallow(): void {
    this.#isSwallowing = true;
  }

  reset(): void {
    this.#client.resetAndDestroy();
    this.#server?.resetAndDestroy();
    this.#over.abort();
  }

  destroy(): void {
    this.#client.destroy();
    this.#server?.destroy();
    this.#over.abort();
  }

  #relay(from: Socket, to: Socket, fault: StreamFault, clock: Clock): void {
    const cutAt = fault.cut === undefined ? Number.POSITIVE_INFINITY : (fault.afterBytes ?? 0);
    const { signal } = this.#over;
    let seen = 0;
    let isCut = false;
    let last = Promise.resolve();

    const pass = (chunk: Buffer): void => {
      if (isCut || this.#isSwallowing || signal.aborted) return;
      const at = (fault.flipAt ?? -1) - seen;
      const old = chunk[at];
      if (old !== undefined) chunk[at] = old ^ 1;
      const room = cutAt - seen;
      seen += chunk.length;
      if (room > 0) to.write(chunk.subarray(0, room));
      if (seen < cutAt) return;
      isCut = true;
      if (fault.cut === 'reset') this.reset();
      if (fault.cut === 'close') to.end(() => this.destroy());
      if (fault.cut === 'half-close') to.end();
    };
    const passSlowly = async (chunk: Buffer): Promise<void> => {
      const size = fault.pieceBytes ?? chunk.length;
      for (let start = 0; start < chunk.length; start += size) {
        await clock.sleep(fault.everyMs ?? 0, { signal });
        pass(chunk.subarray(start, start + size));
      }
    };
    // Cutting after no bytes at all happens before the first one comes.
    if (cutAt === 0) pass(Buffer.alloc(0));
    from.on('data', (chunk: Buffer) => {
      if (fault.everyMs === undefined) pass(chunk);
      // Ends only when the link has ended, and then the rest is not needed.
      else last = last.then(() => passSlowly(chunk)).catch(() => {});
    });
    from.on('end', () => {
      last = last.then(() => {
        if (!isCut && !this.#isSwallowing) to.end();
        else if (from === this.#client) this.destroy();
      });
    });
  }
}
