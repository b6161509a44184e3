import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { GATEWAY_PATH, resolveProfile } from '@virgule/core/protocol';
import { createControlApi } from '../control/control-api.js';
import { createSimFeed, createUiSockets } from '../control/ui-sockets.js';
import { createFaultyAnswers } from '../faults/answer-with-fault.js';
import { createFaults, readFaults } from '../faults/faults.js';
import { createGateway } from '../gateway/gateway.js';
import { createRestApi } from '../rest/rest-api.js';
import type { Answer, Incoming } from '../server/exchange.js';
import { createMediaApi } from '../media/media-api.js';
import { createFilesApi } from '../server/files-api.js';
import { createMemorySockets } from '../gateway/memory-socket.js';
import { createHttpShell, listen } from '../server/http-shell.js';
import { createServe } from '../server/serve.js';
import { DEFAULT_PAGE_DIR } from '../page-folder.js';
import { pageAnswer } from '../server/page.js';
import { groupOf, traceExchange } from '../trace/trace-exchange.js';
import { traceChanges, traceLogLine } from '../trace/trace-rows.js';
import { createTrace } from '../trace/trace.js';
import { addBot, botWithToken, firstBot, simBot } from '../world/bots.js';
import { buildWorld, ownerToken } from '../world/build-world.js';
import { watchDeadlines } from '../world/deadlines.js';
import { closeWindow } from '../world/interactions.js';
import { createPast } from '../world/past.js';
import { Refusal, tooLarge } from '../world/refusal.js';
import { journalWorld, replaceWorld, saveWorld } from '../world/saved-world.js';
import type { World } from '../world/world.js';
import { simSnapshot } from '../world/sim-views.js';
import { createActions, orThrow, throwRefusal } from './actions.js';
import { createSimClock } from './sim-clock.js';
import { createMemoryStore, createSnapshots } from './snapshots.js';
import type { SimulatorOptions } from './simulator-options.js';
import type { BotQuestionHandler, Simulator, SimulatorCounts } from './simulator.js';

/**
 * Starts the whole chat platform on one local port: REST, gateway, the user endpoint, files, `/_sim` and
 * the chat page, with the initial data of a seed in memory.
 *
 * @throws VirguleError `E_PORT_BUSY`, `E_SIM_LISTEN`.
 *
 * @example
 * ```ts
 * const simulator = await startSimulator();
 * const response = await fetch(`${simulator.baseUrl}/api/bot/v1/users/@me`, {
 *   headers: { authorization: `Bot ${simulator.token}` },
 * });
 * console.log(await response.json()); // { username: 'demo-bot', … }
 * await simulator.close();
 * ```
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, seed = 'virgule', pageDir = DEFAULT_PAGE_DIR } = options;
  const { clock = systemClock, log = silentLog } = options;
  // Node.js would listen on all addresses for the empty string, such as that of an unset variable.
  const host = options.host || '127.0.0.1';
  const profile = resolveProfile(options.profile);
  const simClock = createSimClock(clock, (state) =>
    world.emit({ type: 'clock.changed', clock: state }),
  );
  const source = { seed, clock: simClock.clock, profile };
  const world: World = buildWorld(source);
  world.state.editor = options.editor ?? null;
  const snapshots = createSnapshots(world, source, options.snapshots);
  const restored = options.saved !== undefined && replaceWorld(world, source, options.saved);
  for (const bot of options.bots ?? []) orThrow(() => addBot(world, bot));
  // Subscribes first: the other listeners may cause further changes.
  const past = createPast(world);
  const stopDeadlines = watchDeadlines(world);
  const trace = createTrace(clock, () => world.state.sequence);
  traceChanges(world, trace);
  const faults = createFaults(clock, (rule) =>
    trace.add({ kind: 'notice', from: 'platform', what: `fault: ${rule}` }),
  );
  if (options.faults !== undefined) faults.set(readFaults(options.faults));
  const answerWithFault = createFaultyAnswers(clock);
  const rest = createRestApi(world, log, trace);
  const feed = createSimFeed(world, log);
  const ui = createUiSockets(world, feed);
  const gateway = createGateway({ world, clock, trace, faults }, log);
  const files = createFilesApi(world);
  const media = createMediaApi(world, log, options.openReceiver);
  const counts: SimulatorCounts = {
    requests: rest.requests,
    get unknownRoutes() {
      return rest.unknownRoutes;
    },
    get identifies() {
      return [...world.state.bots.values()].reduce((sum, each) => sum + each.identifies, 0);
    },
    get sockets() {
      return gateway.sockets;
    },
  };
  const bot: { answer?: BotQuestionHandler } = {};
  const ended = new AbortController();
  const control = createControlApi({
    world,
    trace,
    past,
    faults,
    snapshots,
    conversations: options.conversations ?? createMemoryStore(),
    simClock,
    gateway,
    media,
    counts,
    bot,
    origin: () => `http://${authority}`,
    closed: ended.signal,
  });

  function answer(incoming: Incoming): Promise<Answer> {
    const { method, path, headers } = incoming;
    if (path.startsWith('/_sim/')) return control.handle(incoming);
    if (path.startsWith('/_files/')) return faulty(incoming, () => files(incoming));
    if (path.startsWith('/_media/')) return media.handle(incoming);
    // A program with a wrong base URL must get an error, not the page.
    const isForPage = headers.authorization === undefined && !path.startsWith('/api/');
    // The guard has checked the host.
    const { host = '' } = headers;
    if (isForPage && (method === 'GET' || method === 'HEAD'))
      return pageAnswer(pageDir, { path, host });
    return faulty(incoming, () => rest.handle(incoming));
  }

  /** Returns the username of the bot whose token a request has. */
  const botOf = ({ headers: { authorization = '' } }: Incoming): string | undefined =>
    botWithToken(world.state, authorization.slice('Bot '.length))?.username;

  /** Carries out a request of the bot, unless a fault prevents this. */
  function faulty(incoming: Incoming, run: () => Promise<Answer>): Promise<Answer> {
    if (!faults.hasRules) return run();
    const { method, path, headers } = incoming;
    const isUpload = path.startsWith('/_files/uploads/') && method !== 'GET';
    const { name = '', number = null } = rest.endpointOf(method, path) ?? {};
    // Requests of users have no faults.
    if (!isUpload && number === null) return run();
    const names = isUpload ? ['upload'] : [name, String(number)];
    const group = groupOf(path, headers);
    const fault = trace.within(group, () => faults.ofRequest(names, botOf(incoming)));
    if (fault === undefined) return run();
    return answerWithFault(fault, incoming, run, () => closeWindow(world, group ?? ''));
  }

  /** Returns the refusal of a new gateway connection, if a fault causes one. */
  function refuse(path: string): Refusal | 'cut' | undefined {
    const effect = path === GATEWAY_PATH ? faults.ofConnection()?.effect : undefined;
    if (effect?.type !== 'status') return effect && 'cut';
    return new Refusal(effect.status, effect.code ?? 'bot_fault', 'A fault of the simulator.');
  }

  const serve = createServe({ clock, log, profile }, (exchange) =>
    traceExchange(trace, exchange, botOf(exchange.incoming), rest.endpointOf),
  );
  const shell = createHttpShell({
    log,
    extraHost: urlName(host),
    serve,
    answer,
    refuse,
    sockets: {
      [GATEWAY_PATH]: (socket, wire) => gateway.accept(socket, wire),
      '/_ui': (socket) => ui.accept(socket),
    },
  });

  const boundPort = port === null ? 0 : await listen(shell.server, host, port);

  async function end(): Promise<void> {
    ended.abort();
    gateway.close();
    ui.close();
    stopDeadlines();
    await Promise.all([media.close(), shell.close()]);
  }
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= end());

  const authority = `${urlName(host)}:${boundPort}`;
  if (port !== null) log.info({ page: `http://${authority}/` }, 'simulator listening');

  return {
    port: boundPort,
    page: `http://${authority}/`,
    baseUrl: `http://${authority}`,
    gatewayUrl: `ws://${authority}`,
    token: firstBot(world.state).token,
    userToken: ownerToken(world),
    counts,
    restored,
    get messageCount() {
      return world.state.messages.size;
    },
    save: () => saveWorld(world),
    journal: (listener, onReplaced) => journalWorld(world, listener, onReplaced),
    reset: () => snapshots.reset(),
    request({ method, path, headers, body }) {
      const read = async (maxBytes: number): Promise<Buffer> => {
        if (body.length > maxBytes) throw tooLarge(maxBytes);
        return body;
      };
      return serve({ method, url: path, headers, origin: `http://${authority}`, read }, answer);
    },
    WebSocket: createMemorySockets(
      (socket) => gateway.accept(socket),
      () => refuse(GATEWAY_PATH),
    ),
    addBot: (bot) => orThrow(() => simBot(addBot(world, bot))),
    dropGateway: (code) => gateway.drop(code),
    ...createActions(world, `http://${authority}`),
    act: (name, input = {}) => control.act(name, input).catch(throwRefusal),
    snapshot: () => simSnapshot(world),
    received: (channelId) => media.received(channelId),
    on: feed,
    answerWith: (answer) => void (bot.answer = answer),
    trace: (after = 0) => trace.page(after, Number.POSITIVE_INFINITY).rows,
    get faults() {
      return faults.state;
    },
    setFaults: (rules) => faults.set(readFaults(rules)),
    reloaded(files) {
      trace.add({ kind: 'notice', from: 'bot', what: `reloaded ${files.join(', ')}`.trimEnd() });
      world.emit({ type: 'code.reloaded', files });
    },
    logged: (line) => traceLogLine(world, trace, line),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a host in the form of a URL; a loopback address for a host that means all addresses. */
function urlName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
