import { EVENTS, type BotMe } from '@virgule/core/protocol';
import type { Log } from '@virgule/core/log';
import { traceEvent } from '../trace/trace-rows.js';
import type { Change } from '../world/change.js';
import { CLOSE, GatewayConnection, type GatewayEnvironment } from './gateway-connection.js';
import { gatewayEvent } from './gateway-event.js';
import type { Wire } from './joined-writes.js';
import type { ServerSocket } from './server-socket.js';

/** Maximum number of open sockets, identified or not. */
const MAX_SOCKETS = 100;

export type Gateway = ReturnType<typeof createGateway>;

/** Creates the gateway of the platform, which sends changes of the world as events to the sockets of the bots. */
export function createGateway(environment: GatewayEnvironment, log: Log) {
  const { world, trace } = environment;
  const connections = new Set<GatewayConnection>();
  let turn = 0;

  const identified = (username?: string): GatewayConnection[] =>
    [...connections].filter(
      ({ isIdentified, bot }) =>
        isIdentified && (username === undefined || bot?.username === username),
    );

  function setConnection({ botUserId, username }: BotMe, added = 0): void {
    const now = world.state.bots.get(botUserId);
    if (now === undefined) return;
    const sockets = identified(username);
    const bot = {
      ...now,
      connected: sockets.length > 0,
      readsMessages: sockets.some((socket) => socket.wants('SERVER_MESSAGES')),
      identifies: now.identifies + added,
    };
    if (now.connected === bot.connected && added === 0) return;
    world.emit({ type: 'bot.changed', bot });
  }

  /** Accepts or rejects a socket with a valid token; may close other sockets with this token. */
  function onIdentify(connection: GatewayConnection, bot: BotMe): object | undefined {
    const others = identified(bot.username).filter((other) => other !== connection);
    const { sameTokenSockets } = world.profile;
    if (others.length > 0 && sameTokenSockets === 'refuse') {
      connection.close(CLOSE.replaced, 'another socket with this token is open');
      return undefined;
    }
    if (sameTokenSockets === 'replace')
      for (const other of others)
        other.close(CLOSE.replaced, 'another socket identified with this token');
    setConnection(bot, 1);
    const identifies = world.state.bots.get(bot.botUserId)?.identifies;
    log.info({ bot: bot.username, identifies }, 'bot identified');
    const serverIds = [...world.state.servers.values()]
      .filter(({ botIds }) => botIds.includes(bot.botUserId))
      .map(({ id }) => id);
    return { ...bot, serverIds };
  }

  function dispatch(change: Change): void {
    if (connections.size === 0) return;
    if (change.type === 'bot.removed') {
      // The close code of a revoked token: the bot must not connect again.
      for (const each of identified(change.bot.username))
        each.close(CLOSE.badToken, 'the bot was deleted');
    }
    for (const { botUserId, username } of world.state.bots.values()) {
      const event = gatewayEvent(world, change, botUserId);
      if (event === undefined) continue;
      const wanting = [...connections].filter(
        (connection) => connection.bot?.botUserId === botUserId && connection.wants(event.intent),
      );
      if (wanting.length > 0) sendTo(wanting, event.name, event.payload(), username);
    }
  }

  function sendTo(
    wanting: readonly GatewayConnection[],
    name: string,
    payload: object,
    bot: string,
  ): void {
    const text = JSON.stringify({ op: 'DISPATCH', t: name, d: payload });
    traceEvent(trace, name, payload, { text, bot });
    if (world.profile.sameTokenSockets === 'split')
      return wanting[turn++ % wanting.length]?.sendFrame(name, text);
    for (const connection of wanting) connection.sendFrame(name, text);
  }

  const unsubscribe = world.subscribe(dispatch);

  return {
    /** @param wire - the underlying socket; a connection inside this process has none. */
    accept(socket: ServerSocket, wire?: Wire): void {
      if (connections.size >= MAX_SOCKETS)
        return socket.close(1013, `${MAX_SOCKETS} sockets are open`);
      connections.add(
        new GatewayConnection(socket, wire, {
          ...environment,
          onIdentify,
          onEnd: (bot) => setConnection(bot),
          onClose: (connection) => connections.delete(connection),
        }),
      );
    },
    /** Number of open sockets, identified or not. */
    get sockets(): number {
      return connections.size;
    },
    /**
     * Sends a payload unchanged to the sockets that want the event, or to all if the Bot Interface has no such event, of
     * the bot with this username, or of all bots. Returns the number of sockets.
     */
    send(name: string, payload: object, bot?: string): number {
      const intent = Object.entries(EVENTS).find(([known]) => known === name)?.[1].intent;
      const wanting = identified(bot).filter(
        (connection) => intent === undefined || connection.wants(intent),
      );
      for (const { username } of world.state.bots.values()) {
        const sockets = wanting.filter((connection) => connection.bot?.username === username);
        if (sockets.length > 0) sendTo(sockets, name, payload, username);
      }
      return wanting.length;
    },
    /** Closes the identified sockets of a bot, or of all, with a close code or abruptly. Returns their number. */
    drop(code?: number, bot?: string): number {
      const dropped = identified(bot);
      for (const connection of dropped) {
        if (code === undefined) connection.terminate();
        else connection.close(code, 'dropped');
      }
      return dropped.length;
    },
    close(): void {
      unsubscribe();
      for (const connection of connections)
        connection.close(CLOSE.goingAway, 'the simulator closes');
    },
  };
}
