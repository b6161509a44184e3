import { createServer, type AddressInfo } from 'node:net';
import { FAIR_WEATHER, ProxiedConnection, type Weather } from './proxied-connection.js';

export interface FaultProxy {
  readonly port: number;
  /** Changes what happens from now on; whether the gateway's connections feel it too is said with it. */
  change(weather: Partial<Weather>, withGateway: boolean): void;
  /** Strikes every connection that is open now. */
  strike(hit: (connection: ProxiedConnection) => void, withGateway: boolean): void;
  /** Fair weather again, for all. */
  calm(): void;
  close(): Promise<void>;
}

/** A TCP proxy on loopback that can be told to misbehave. */
export async function startFaultProxy(serverPort: number): Promise<FaultProxy> {
  const connections = new Set<ProxiedConnection>();
  let weather = FAIR_WEATHER;
  let sparesGateway = false;

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    const connection = new ProxiedConnection({
      client,
      serverPort,
      weatherFor: (cargo) => (cargo === 'gateway' && sparesGateway ? FAIR_WEATHER : weather),
      onClose: () => connections.delete(connection),
    });
    connections.add(connection);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;

  function settle(): void {
    for (const connection of connections) connection.settle();
  }

  return {
    port,
    change(changes, withGateway) {
      weather = { ...FAIR_WEATHER, ...changes };
      sparesGateway = !withGateway;
      settle();
    },
    strike(hit, withGateway) {
      for (const connection of connections) {
        if (withGateway || connection.cargo !== 'gateway') hit(connection);
      }
    },
    calm() {
      weather = FAIR_WEATHER;
      settle();
    },
    close() {
      for (const connection of connections) connection.reset();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
