import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { GATEWAY_PATH, resolveProfile } from '@virgule/core/protocol';
import { createControlApi } from '../control/control-api.js';
import { createSimFeed } from '../control/sim-feed.js';
import { createUiSockets } from '../control/ui-sockets.js';
import { createGateway } from '../gateway/gateway.js';
import { createRestApi } from '../rest/rest-api.js';
import { createAccessKey } from '../server/access-key.js';
import type { Answer, Incoming } from '../server/exchange.js';
import { createFilesApi } from '../server/files-api.js';
import { createMemorySockets } from '../gateway/memory-socket.js';
import { createMemoryRequests } from '../server/in-memory.js';
import { createHttpShell } from '../server/http-shell.js';
import { DEFAULT_PAGE_DIR } from '../page-folder.js';
import { pageAnswer } from '../server/page.js';
import { botToken, buildWorld, ownerToken } from '../world/build-world.js';
import { watchDeadlines } from '../world/deadlines.js';
import { restoreWorld, saveWorld } from '../world/saved-world.js';
import { SEED } from '../world/seed.js';
import { simSnapshot } from '../world/sim-views.js';
import { createActions } from './actions.js';
import { countsOf, describeState } from './describe-state.js';
import { listen } from './listen.js';
import type { BotQuestionHandler, Simulator, SimulatorOptions } from './simulator.js';

const DEFAULTS = {
  port: 0,
  host: '127.0.0.1',
  seed: 'virgule',
  clock: systemClock,
  log: silentLog,
  pageDir: DEFAULT_PAGE_DIR,
} satisfies SimulatorOptions;

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
  const {
    port = DEFAULTS.port,
    seed = DEFAULTS.seed,
    clock = DEFAULTS.clock,
    log = DEFAULTS.log,
    pageDir = DEFAULTS.pageDir,
  } = options;
  // Node.js would listen on all addresses for the empty string, such as that of an unset variable.
  const host = options.host || DEFAULTS.host;
  const profile = resolveProfile(options.profile);
  const world = buildWorld({ seed, content: SEED, clock, profile });
  const restored = options.saved !== undefined && restoreWorld(world, options.saved);
  const stopDeadlines = watchDeadlines(world);
  const rest = createRestApi({ world, log });
  const feed = createSimFeed({ world, log });
  const ui = createUiSockets({ world, feed });
  const gateway = createGateway({ world, log });
  const files = createFilesApi(world);
  const counts = countsOf(world, rest, gateway);
  let answerBot: BotQuestionHandler | undefined;
  const control = createControlApi({
    world,
    describe: () => describeState(world, counts),
    dropGateway: (code) => gateway.drop(code),
    bot: () => answerBot,
  });

  function answer(incoming: Incoming): Promise<Answer> {
    const { method, path, headers } = incoming;
    if (path.startsWith('/_sim/')) return control.handle(incoming);
    if (path.startsWith('/_files/')) return files.handle(incoming);
    // A program with a wrong base URL must get an error, not the page.
    const isForPage = headers.authorization === undefined && !path.startsWith('/api/');
    // The guard has checked the host.
    const { host = '' } = headers;
    if (isForPage && (method === 'GET' || method === 'HEAD'))
      return pageAnswer(pageDir, { path, host });
    return rest.handle(incoming);
  }

  const shell = createHttpShell({
    clock,
    log,
    extraHost: urlName(host),
    access: options.accessKey === undefined ? undefined : createAccessKey(options.accessKey),
    answer,
    sockets: {
      [GATEWAY_PATH]: (socket, wire) => gateway.accept(socket, wire),
      '/_ui': (socket) => ui.accept(socket),
    },
  });

  const boundPort = port === null ? 0 : await listen(shell.server, host, port);

  let closing: Promise<void> | undefined;
  function close(): Promise<void> {
    closing ??= (() => {
      gateway.close();
      ui.close();
      stopDeadlines();
      return shell.close();
    })();
    return closing;
  }

  const authority = `${urlName(host)}:${boundPort}`;
  if (port !== null) log.info({ page: `http://${authority}/` }, 'simulator listening');

  return {
    port: boundPort,
    page: `http://${authority}/`,
    baseUrl: `http://${authority}`,
    gatewayUrl: `ws://${authority}`,
    token: botToken(world),
    userToken: ownerToken(world),
    counts,
    restored,
    get messageCount() {
      return world.state.messages.size;
    },
    save: () => saveWorld(world),
    request: createMemoryRequests(`http://${authority}`, answer, log),
    WebSocket: createMemorySockets((socket) => gateway.accept(socket)),
    dropGateway: (code) => gateway.drop(code),
    ...createActions(world),
    snapshot: () => simSnapshot(world),
    on: (listener) => feed.subscribe(listener),
    answerWith: (answer) => {
      answerBot = answer;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns a host as it is written in a URL; loopback for a host that means all addresses. */
function urlName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
