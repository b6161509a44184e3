import { createServer, type AddressInfo } from 'node:net';
import {
  NORMAL_CONDITIONS,
  ProxiedConnection,
  type NetworkConditions,
} from './proxied-connection.js';

export interface FaultProxy {
  readonly port: number;
  /** Changes the network conditions, for the gateway too if `withGateway`. */
  change(conditions: Partial<NetworkConditions>, withGateway: boolean): void;
  /** Calls a function with every open connection, those of the gateway only if `withGateway`. */
  disrupt(action: (connection: ProxiedConnection) => void, withGateway: boolean): void;
  /** Restores normal conditions. */
  restore(): void;
  close(): Promise<void>;
}

/** Starts a TCP proxy on loopback that can inject faults. */
export async function startFaultProxy(serverPort: number): Promise<FaultProxy> {
  const connections = new Set<ProxiedConnection>();
  let conditions = NORMAL_CONDITIONS;
  let excludesGateway = false;

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const connection = new ProxiedConnection({
      client,
      serverPort,
      conditionsFor: (traffic) =>
        traffic === 'gateway' && excludesGateway ? NORMAL_CONDITIONS : conditions,
      onClose: () => connections.delete(connection),
    });
    connections.add(connection);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server listens on a port, so its address has one.
  const { port } = server.address() as AddressInfo;

  function flush(): void {
    for (const connection of connections) connection.flush();
  }

  return {
    port,
    change(changes, withGateway) {
      conditions = { ...NORMAL_CONDITIONS, ...changes };
      excludesGateway = !withGateway;
      flush();
    },
    disrupt(action, withGateway) {
      for (const connection of connections) {
        if (withGateway || connection.traffic !== 'gateway') action(connection);
      }
    },
    restore() {
      conditions = NORMAL_CONDITIONS;
      flush();
    },
    close() {
      for (const connection of connections) connection.reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
