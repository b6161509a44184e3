import { ASSUMPTIONS } from '@virgule/core/protocol';
import type { Gateway } from '../gateway/gateway.js';
import type { RestApi } from '../rest/rest-api.js';
import { simCommands } from '../world/bots.js';
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
      let identifies = 0;
      for (const bot of world.state.bots.values()) identifies += bot.identifies;
      return identifies;
    },
    get sockets() {
      return gateway.sockets;
    },
  };
}

/** Returns the body of GET /_sim/state. */
export function describeState({ state, profile }: World, counts: SimulatorCounts): object {
  const bots = [...state.bots.values()];
  return {
    gateway: {
      identifies: counts.identifies,
      connected: bots.some(({ connected }) => connected),
      sockets: counts.sockets,
    },
    requests: counts.requests,
    puts: counts.requests['commands.replace'],
    unknownRoutes: counts.unknownRoutes,
    bots: bots.length,
    servers: state.servers.size,
    channels: state.channels.size,
    users: state.users.size,
    messages: state.messages.size,
    commands: simCommands(state).length,
    interactions: state.interactions.size,
    uploads: state.uploads.size,
    profile,
    assumptions: ASSUMPTIONS,
  };
}
