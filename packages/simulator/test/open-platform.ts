import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import {
  ENDPOINTS,
  apiErrorBodySchema,
  endpointPath,
  messageSchema,
  type EndpointName,
  type Message,
  type SyncCommandItem,
} from '@virgule/core/protocol';
import { startSimulator, type Simulator, type SimulatorOptions } from '@virgule/simulator';
import { Agent, type Dispatcher } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { SIM_ACTIONS } from '../src/control/actions.js';
import { connectBot, type BotSocket, type ConnectOptions } from './bot-socket.js';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  /** The parsed JSON; undefined without a body. */
  readonly body: unknown;
}

export interface RequestInput {
  readonly headers?: Readonly<Record<string, string>>;
  /** Body of the request; sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
}

/** Starts a simulator for one test with a fake clock, and closes it when the test ends. */
export interface Platform {
  readonly simulator: Simulator;
  readonly clock: FakeClock;
  /** Sends any request to the port. */
  send(method: string, path: string, input?: RequestInput): Promise<Reply>;
  /** Carries out an action of the control API over HTTP, without waiting for the bot. */
  act(name: string, input?: object): Promise<Reply>;
  /** Sends a request of the bot to an endpoint, by the name of the endpoint. */
  call(
    name: EndpointName,
    parameters?: Readonly<Record<string, string>>,
    input?: RequestInput & { readonly query?: string },
  ): Promise<Reply>;
  connect(options?: ConnectOptions): Promise<BotSocket>;
  serverId(name: string): string;
  channelId(name: string, server?: string): string;
  userId(username: string): string;
  /** Registers commands by name, with no options. */
  register(...names: string[]): Promise<void>;
  /** Returns the newest message of a channel. */
  lastMessage(channel?: string): Message;
}

export async function openPlatform(options: SimulatorOptions = {}): Promise<Platform> {
  const clock = createFakeClock();
  const simulator = await startSimulator({ clock, pageDir: null, ...options });
  // A thousand connections at once overflow the backlog of a server, and some are reset.
  const agent = new Agent({ connections: 256 });
  onTestFinished(async () => {
    await simulator.close();
    await agent.close();
  });

  async function send(
    method: string,
    path: string,
    { headers = {}, body }: RequestInput = {},
  ): Promise<Reply> {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Buffer;
    // A URL that the platform returned, or a path, which is sent without normalization.
    const { origin, pathname, search } = new URL(path, simulator.baseUrl);
    const response = await agent.request({
      origin,
      path: path.startsWith('/') ? path : pathname + search,
      method,
      headers,
      body: isRaw ? body : JSON.stringify(body),
    });
    return toReply(response);
  }

  const platform: Platform = {
    simulator,
    clock,
    send,
    act(name, input = {}) {
      const action = SIM_ACTIONS.find((each) => each.name === name);
      const isWaiting = action !== undefined && 'seconds' in action.input.shape;
      const values = { ...(isWaiting && { seconds: 0 }), ...input };
      if (action?.reads !== true) return send('POST', `/_sim/${name}`, { body: values });
      const query = new URLSearchParams(
        Object.entries(values).map(([key, value]) => [key, String(value)]),
      );
      return send('GET', `/_sim/${name}?${query}`);
    },
    call(name, parameters = {}, { headers, body, query = '' } = {}) {
      const endpoint = ENDPOINTS[name];
      const token = endpoint.api === 'bot' ? simulator.token : simulator.userToken;
      const scheme = endpoint.api === 'bot' ? 'Bot' : 'Bearer';
      return send(endpoint.method, endpointPath(endpoint, parameters) + query, {
        headers: { authorization: `${scheme} ${token}`, ...headers },
        body,
      });
    },
    connect: (connectOptions) => connectBot(simulator, connectOptions),
    serverId: (name) => idOf(simulator.snapshot().servers.find((server) => server.name === name)),
    channelId(name, server = 'Sandbox') {
      const { servers, channels } = simulator.snapshot();
      const serverId = idOf(servers.find((each) => each.name === server));
      return idOf(channels.find((each) => each.name === name && each.serverId === serverId));
    },
    userId: (username) =>
      idOf(simulator.snapshot().users.find((user) => user.username === username)),
    async register(...names) {
      const commands: SyncCommandItem[] = names.map((name) => ({
        name,
        description: `Runs ${name}`,
        options: [],
      }));
      const reply = await platform.call('commands.replace', {}, { body: { commands } });
      expect(reply.status).toBe(200);
    },
    lastMessage: (channel) => messageSchema.parse(simulator.messages(channel).at(-1)),
  };
  return platform;
}

async function toReply({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Reply> {
  const bytes = Buffer.from(await body.arrayBuffer());
  const text = bytes.toString('utf8');
  const isJson = String(headers['content-type']).startsWith('application/json');
  return {
    status: statusCode,
    headers,
    bytes,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

function idOf(thing: { readonly id: string } | undefined): string {
  if (thing === undefined) throw new Error('The seed has no such thing.');
  return thing.id;
}

export interface ExpectedRefusal {
  readonly status: number;
  readonly code: string;
  /** `details.field` of a validation error. */
  readonly field?: string | undefined;
}

/** Returns the refusal in a reply; checks that the body has the stated keys and no others. */
export function refusalOf({ status, body }: Reply): ExpectedRefusal {
  expect(body).toEqual({
    code: expect.stringMatching(/\w/),
    message: expect.stringMatching(/\w/),
    details: expect.any(Object),
    requestId: expect.stringMatching(/\w/),
  });
  const { code, details } = apiErrorBodySchema.parse(body);
  const { field } = details;
  return typeof field === 'string' ? { status, code, field } : { status, code };
}
