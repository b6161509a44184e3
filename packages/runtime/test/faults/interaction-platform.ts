import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock, Timer } from '@virgule/core/clock';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { READY } from '../fake-gateway.js';
import { CHANNEL, interactionId, SERVER } from '../ids.js';
import { messageWith } from '../messages.js';

/** The fault of one request. */
export interface Act {
  /** `true` if the platform carries out the request. @defaultValue `true` */
  readonly takesEffect?: boolean;
  /** Result for the bot instead of the answer. */
  readonly reply?:
    | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
    /** The connection is reset; or nothing ever comes. */
    | 'reset'
    | 'stall';
}

/** State of an interaction on the platform. */
export interface PlatformInteraction {
  /** State of the interaction that users see. */
  shown: 'nothing' | 'acknowledged' | 'thinking' | 'answer';
  isExpired: boolean;
  content: string | undefined;
  /** Number of created answers. Users see each of them. */
  answers: number;
  followUps: string[];
  /** The calls that were made for it with what they were answered, such as `defer 204`. */
  readonly calls: string[];
  /** Age of the interaction at each call, in milliseconds. */
  readonly agesMs: number[];
}

export interface InteractionPlatform {
  readonly port: number;
  /** Runs `/x` and returns its interaction; `id` delivers one again. */
  run(id?: string): PlatformInteraction;
  /** Number of waiting requests that are never answered. */
  readonly stalled: number;
  /** Number of connected bots. */
  readonly bots: number;
  /** Takes the token for invalid from now on, and disconnects the bots. */
  revokeToken(): void;
  /** Refuses connections and cuts those there are, until the returned function is called. The gateway stays. */
  goAway(): () => Promise<void>;
  /** Called with each complete request, before it is answered. */
  onCall: (call: string) => void;
  close(): Promise<void>;
}

export interface InteractionPlatformOptions {
  readonly clock: Clock;
  /** Time that an interaction waits for its first answer. @defaultValue as assumed: 3,000 ms */
  readonly windowMs?: number | undefined;
  readonly script?: ((call: string, index: number, id: string) => Act | undefined) | undefined;
  /** Answers GET /commands. @defaultValue no command is registered */
  readonly listCommands?: ((response: ServerResponse) => void) | undefined;
}

const CALL = /^\/api\/bot\/v1\/interactions\/([^/]+)\/(.+)$/;
const { refusals, answerWindowMs } = DEFAULT_PROFILE;
const { interactionGone, alreadyAnswered, nothingToEdit } = refusals;

/** A real server that knows interactions and nothing else, and fails where the script says so. */
export async function startInteractionPlatform(
  options: InteractionPlatformOptions,
): Promise<InteractionPlatform> {
  const { clock, windowMs = answerWindowMs, script } = options;
  const interactions = new Map<string, PlatformInteraction>();
  const sentAtMs = new Map<string, number>();
  const windows = new Set<Timer>();
  const sockets = new Set<Socket>();
  const bots = new Set<WebSocket>();
  let count = 0;
  let stalled = 0;
  let isRevoked = false;

  /** Carries a call out; returns the status and the body of its answer. */
  function carryOut(interaction: PlatformInteraction, call: string, content: string) {
    const refuse = ({ status, code }: { readonly status: number; readonly code: string }) =>
      ({ status, body: { message: 'no', code } }) as const;
    const body = messageWith({ content });
    if (interaction.isExpired) return refuse(interactionGone);
    switch (call) {
      case 'POST ack':
      case 'POST defer':
        if (interaction.shown === 'nothing' && call === 'POST ack')
          interaction.shown = 'acknowledged';
        else if (interaction.shown !== 'answer' && call === 'POST defer')
          interaction.shown = 'thinking';
        return { status: 204, body: undefined };
      case 'POST response':
        if (interaction.shown === 'answer') return refuse(alreadyAnswered);
        interaction.shown = 'answer';
        interaction.answers += 1;
        interaction.content = content;
        return { status: 200, body };
      case 'PATCH response':
        // An edit fills in what a defer has left open (rule 19).
        if (interaction.shown === 'thinking') interaction.answers += 1;
        else if (interaction.shown !== 'answer') return refuse(nothingToEdit);
        interaction.shown = 'answer';
        interaction.content = content;
        return { status: 200, body };
      default:
        interaction.followUps.push(content);
        return { status: 200, body };
    }
  }

  function stall({ socket }: IncomingMessage): void {
    stalled += 1;
    socket.once('close', () => void (stalled -= 1));
  }

  function answer(request: IncomingMessage, text: string, response: ServerResponse): void {
    const [, id = '', rest = ''] = CALL.exec(request.url ?? '') ?? [];
    const interaction = interactions.get(id);
    if (request.url?.endsWith('/commands') && options.listCommands) {
      options.listCommands(response);
      if (!response.writableEnded && !request.socket.destroyed) stall(request);
      return;
    }
    if (isRevoked) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    if (!interaction) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(request.url?.endsWith('/commands') ? '[]' : JSON.stringify(READY));
      return;
    }
    const call = `${request.method} ${rest}`;
    interaction.agesMs.push(clock.monotonic() - (sentAtMs.get(id) ?? 0));
    const act = script?.(call, count, id) ?? {};
    count += 1;
    const content: unknown = text === '' ? undefined : Object(JSON.parse(text)).content;
    const result =
      act.takesEffect === false
        ? { status: 500, body: undefined }
        : carryOut(interaction, call, String(content));
    const { reply } = act;
    const isOdd = reply === 'stall' || reply === 'reset';
    const status = isOdd ? reply : (reply?.status ?? result.status);
    interaction.calls.push(
      `${call.replace(/^\w+ /, (verb) => (verb === 'PATCH ' ? 'edit ' : ''))} ${status}`,
    );
    platform.onCall(call);
    if (reply === 'stall') {
      stall(request);
      return;
    }
    if (reply === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    const headers = reply?.headers ?? {};
    response.writeHead(reply?.status ?? result.status, {
      'content-type': 'application/json',
      ...headers,
    });
    response.end(result.body === undefined ? undefined : JSON.stringify(result.body));
  }

  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => (text += chunk));
    request.on('end', () => answer(request, text, response));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const gateway = new WebSocketServer({ server, path: '/gateway/bot' });
  gateway.on('connection', (bot) => {
    bot.on('error', () => {});
    bot.on('close', () => bots.delete(bot));
    bot.on('message', (data) => {
      // Text frames come as one buffer.
      const { op } = Object(JSON.parse((data as Buffer).toString()));
      if (op === 'HEARTBEAT') bot.send(JSON.stringify({ op: 'HEARTBEAT_ACK' }));
      if (op !== 'IDENTIFY') return;
      if (isRevoked) {
        bot.close(4_004, 'invalid token');
        return;
      }
      bots.add(bot);
      bot.send(JSON.stringify({ op: 'DISPATCH', t: 'READY', d: READY }));
    });
    bot.send(JSON.stringify({ op: 'HELLO', d: { heartbeatInterval: 300_000 } }));
  });

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const timer of windows) timer.cancel();
    for (const bot of bots) bot.terminate();
    gateway.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);

  const platform: InteractionPlatform = {
    // A listening TCP server has an address with a port.
    port: (server.address() as AddressInfo).port,
    run(id = interactionId(interactions.size + 1)) {
      const interaction = interactions.get(id) ?? {
        shown: 'nothing',
        isExpired: false,
        content: undefined,
        answers: 0,
        followUps: [],
        calls: [],
        agesMs: [],
      };
      if (!interactions.has(id)) {
        sentAtMs.set(id, clock.monotonic());
        windows.add(
          clock.setTimeout(
            () => (interaction.isExpired = interaction.shown === 'nothing'),
            windowMs,
          ),
        );
      }
      interactions.set(id, interaction);
      const d = {
        interactionId: id,
        serverId: SERVER,
        channelId: CHANNEL,
        name: 'x',
        rawInput: '/x',
      };
      const frame = JSON.stringify({ op: 'DISPATCH', t: 'APPLICATION_COMMAND', d });
      for (const bot of bots) bot.send(frame);
      return interaction;
    },
    get stalled() {
      return stalled;
    },
    get bots() {
      return bots.size;
    },
    onCall: () => {},
    revokeToken() {
      isRevoked = true;
      for (const bot of bots) bot.close(1_001);
    },
    goAway() {
      const { port } = platform;
      server.close();
      server.closeAllConnections();
      return () => new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
    },
    close,
  };
  return platform;
}
