import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

/** Host and port without a listener. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return address;
}

export interface SilentAddress {
  /** Host and port. */
  readonly address: string;
  /** Number of connections so far. */
  readonly connections: number;
}

/** A place where TCP connects and nothing is ever said: TLS does not get through. */
export async function silentAddress(): Promise<SilentAddress> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  const address = await listen(server);
  onTestFinished(() => void server.close());
  return {
    address,
    get connections() {
      return connections;
    },
  };
}
