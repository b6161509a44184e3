import type { Clock } from '@virgule/core/clock';
import { EVENTS, type Intent } from '@virgule/core/protocol';
import type { Log } from '@virgule/core/log';
import type { Faults } from '../faults/faults.js';
import { traceEvent } from '../trace/trace-rows.js';
import type { Trace } from '../trace/trace.js';
import { botToken } from '../world/build-world.js';
import type { Change } from '../world/change.js';
import type { World } from '../world/world.js';
import { CLOSE } from './close-codes.js';
import { GatewayConnection } from './gateway-connection.js';
import { gatewayEvent } from './gateway-event.js';
import type { Wire } from './joined-writes.js';
import type { ServerSocket } from './server-socket.js';

export interface Gateway {
  /** Adds a socket. `wire` is the underlying socket; a connection inside this process has none. */
  accept(socket: ServerSocket, wire?: Wire): void;
  /** Number of open sockets, identified or not. */
  readonly sockets: number;
  /**
   * Sends an event as it is to the sockets that want it; one that the Bot Interface does not have, to all. The world does
   * not change. Returns the number of sockets.
   */
  send(name: string, payload: object): number;
  /** Closes every identified socket, with a close code or abruptly. Returns their number. */
  drop(code?: number): number;
  /** Unsubscribes from the world and closes every socket. */
  close(): void;
}

export interface GatewayOptions {
  readonly world: World;
  /** Of connections. */
  readonly clock: Clock;
  readonly log: Log;
  readonly trace: Trace;
  readonly faults: Faults;
  /** Maximum number of open sockets, identified or not. */
  readonly maxSockets: number;
}

/** Creates the gateway of the platform: it sends changes of the world as events to the sockets of the bot. */
export function createGateway(options: GatewayOptions): Gateway {
  const { world, clock, log, trace, faults, maxSockets } = options;
  const token = botToken(world);
  const connections = new Set<GatewayConnection>();
  let turn = 0;

  const identified = (): GatewayConnection[] =>
    [...connections].filter(({ isIdentified }) => isIdentified);

  function setConnection(identifies: number): void {
    const connected = identified().length > 0;
    const now = world.state.connection;
    if (now.connected === connected && now.identifies === identifies) return;
    world.emit({ type: 'bot.changed', connection: { connected, identifies } });
  }

  /** Accepts or rejects a socket with the right token; may close the others. */
  function onIdentify(connection: GatewayConnection): object | undefined {
    const others = identified().filter((other) => other !== connection);
    const { sameTokenSockets } = world.profile;
    if (others.length > 0 && sameTokenSockets === 'refuse') {
      connection.close(CLOSE.replaced, 'another socket with this token is open');
      return undefined;
    }
    if (sameTokenSockets === 'replace') {
      for (const other of others) {
        other.close(CLOSE.replaced, 'another socket identified with this token');
      }
    }
    setConnection(world.state.connection.identifies + 1);
    log.info({ identifies: world.state.connection.identifies }, 'bot identified');
    const serverIds = [...world.state.servers.values()]
      .filter(({ botInstalled }) => botInstalled)
      .map(({ id }) => id);
    return { ...world.state.bot, serverIds };
  }

  function dispatch(change: Change): void {
    if (connections.size === 0) return;
    const event = gatewayEvent(world, change);
    if (event === undefined) return;
    const wanting = [...connections].filter((connection) => connection.wants(event.intent));
    if (wanting.length > 0) sendTo(wanting, event.name, event.payload());
  }

  function sendTo(wanting: readonly GatewayConnection[], name: string, payload: object): void {
    const text = JSON.stringify({ op: 'DISPATCH', t: name, d: payload });
    traceEvent(trace, { name, payload, text });
    if (world.profile.sameTokenSockets === 'split') {
      wanting[turn++ % wanting.length]?.sendFrame(name, text);
      return;
    }
    for (const connection of wanting) connection.sendFrame(name, text);
  }

  const intentOf = (name: string): Intent | undefined =>
    Object.entries(EVENTS).find(([known]) => known === name)?.[1].intent;

  const unsubscribe = world.subscribe(dispatch);

  return {
    accept(socket, wire) {
      if (connections.size >= maxSockets) {
        socket.close(1013, `${maxSockets} sockets are open`);
        return;
      }
      connections.add(
        new GatewayConnection({
          socket,
          wire,
          clock,
          profile: world.profile,
          token,
          trace,
          faults,
          onIdentify,
          onEnd: () => setConnection(world.state.connection.identifies),
          onClose: (connection) => connections.delete(connection),
        }),
      );
    },
    get sockets() {
      return connections.size;
    },
    send(name, payload) {
      const intent = intentOf(name);
      const wanting = identified().filter(
        (connection) => intent === undefined || connection.wants(intent),
      );
      if (wanting.length > 0) sendTo(wanting, name, payload);
      return wanting.length;
    },
    drop(code) {
      const dropped = identified();
      for (const connection of dropped) {
        if (code === undefined) connection.terminate();
        else connection.close(code, 'dropped');
      }
      return dropped.length;
    },
    close() {
      unsubscribe();
      for (const connection of connections)
        connection.close(CLOSE.goingAway, 'the simulator closes');
    },
  };
}
