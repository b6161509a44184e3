import { ASSUMPTIONS } from '@virgule/core/protocol';
import type { Gateway } from '../gateway/gateway.js';
import type { RestApi } from '../rest/rest-api.js';
import type { World } from '../world/world.js';
import type { SimulatorCounts } from './simulator.js';

/** Returns counters that are always current. */
export function countsOf(world: World, rest: RestApi, gateway: Gateway): SimulatorCounts {
  return {
    requests: rest.requests,
    get unknownRoutes() {
      return rest.unknownRoutes;
    },
    get identifies() {
      return world.state.connection.identifies;
    },
    get sockets() {
      return gateway.sockets;
    },
  };
}

/** Returns the body of GET /_sim/state. */
export function describeState({ state, profile }: World, counts: SimulatorCounts): object {
  return {
    gateway: {
      identifies: counts.identifies,
      connected: state.connection.connected,
      sockets: counts.sockets,
    },
    requests: counts.requests,
    puts: counts.requests['commands.replace'],
    unknownRoutes: counts.unknownRoutes,
    servers: state.servers.size,
    channels: state.channels.size,
    users: state.users.size,
    messages: state.messages.size,
    commands: state.commands.length,
    interactions: state.interactions.size,
    uploads: state.uploads.size,
    profile,
    assumptions: ASSUMPTIONS,
  };
}
