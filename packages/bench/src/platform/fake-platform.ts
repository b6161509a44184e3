import { createServer, type AddressInfo, type Socket } from 'node:net';
import { botInterfaceDialect } from './bot-interface-dialect.js';
import { CommandLoad, type CommandFigures, type CommandLoadOptions } from './command-load.js';
import type { Dialect } from './dialect.js';
import { sendEvents } from './event-load.js';
import { headerOf, HttpRequests, jsonAnswer, type PlatformRequest } from './http-requests.js';
import { FIRST_FREE_INDEX, SEEN } from './sample-data.js';
import { ClientFrames, encodeFrame, textFrame, upgradeAnswer } from './web-socket-frames.js';

/** A minimal, fast platform that sends commands and events and receives answers. */
export interface FakePlatform {
  readonly port: number;
  /** Resolves when a bot has identified. */
  readonly identified: Promise<void>;
  /** Number of times that a bot identified. */
  readonly identifies: number;
  /** Sends commands to the bot that identified last. Only one run at a time. */
  runCommands(options: CommandLoadOptions): Promise<CommandFigures>;
  /** Sends one command to the bot that identified last. Resolves with the content of the answer. */
  ask(name: string, options?: Readonly<Record<string, number>>): Promise<unknown>;
  /** Sends events to the bot that identified last. Resolves when the bot answers that it has received all. */
  sendEvents(count: number): Promise<EventFigures>;
  close(): void;
}

export interface EventFigures {
  readonly sent: number;
  readonly perSecond: number;
}

/** Number of the first message, well above those of interactions. */
const FIRST_MESSAGE = 0x8000_0000;

export async function startFakePlatform(
  dialect: Dialect = botInterfaceDialect,
): Promise<FakePlatform> {
  const heartbeatAck = textFrame(dialect.heartbeatAck);
  const sockets = new Set<Socket>();
  let bot: Socket | undefined;
  let load: CommandLoad | undefined;
  let nextIndex = FIRST_FREE_INDEX;
  let nextMessage = FIRST_MESSAGE;
  /** Commands of `ask` without an answer. */
  const asked = new Map<number, (content: unknown) => void>();
  let commands = '[]';
  let identifies = 0;
  let announce: () => void = () => {};
  const identified = new Promise<void>((resolve) => (announce = resolve));

  function answer(socket: Socket, { method, path, body }: PlatformRequest): void {
    if (path.endsWith('/commands')) {
      if (method === 'PUT') commands = dialect.registered(body);
      socket.write(jsonAnswer(commands));
      return;
    }
    const given = method === 'POST' ? dialect.answerOf(path, body) : undefined;
    if (given) asked.get(given.index)?.(given.content);
    const running = load;
    const content = given && running?.answer(given.index, given.content);
    if (!running || content === undefined) {
      socket.write(dialect.other(method, path, port));
      return;
    }
    const finish = (): void => {
      socket.write(dialect.accepted(content));
      running.finished();
    };
    if (running.delayMs === 0) finish();
    else setTimeout(finish, running.delayMs);
  }

  function upgrade(socket: Socket, head: string): void {
    socket.write(upgradeAnswer(headerOf(head, 'sec-websocket-key')));
    socket.write(textFrame(dialect.hello));
    const frames = new ClientFrames();
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      for (const { kind, payload } of frames.take(chunk)) {
        if (kind === 'close') socket.end(encodeFrame('close', payload));
        if (kind === 'ping') socket.write(encodeFrame('pong', payload));
        if (kind === 'text') onText(socket, payload.toString());
      }
    });
  }

  function onText(socket: Socket, text: string): void {
    const { op } = JSON.parse(text) as { readonly op?: unknown };
    const kind = dialect.frameKind(op);
    if (kind === 'heartbeat') socket.write(heartbeatAck);
    if (kind !== 'identify') return;
    bot = socket;
    identifies += 1;
    socket.write(Buffer.concat(dialect.ready.map(textFrame)));
    announce();
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const requests = new HttpRequests();
    socket.on('data', (chunk: Buffer) => {
      for (const request of requests.take(chunk)) {
        if (dialect.isGateway(request.path)) upgrade(socket, request.head);
        else answer(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // The server listens on a port, so its address has one.
  const { port } = server.address() as AddressInfo;

  function theBot(): Socket {
    if (!bot) throw new Error('No bot has identified.');
    return bot;
  }

  async function ask(name: string, options = {}): Promise<unknown> {
    const { send, firstIndex } = portsFor(1);
    const answered = new Promise((resolve) => asked.set(firstIndex, resolve));
    send(textFrame(dialect.command(firstIndex, name, options)));
    const content = await answered;
    asked.delete(firstIndex);
    return content;
  }

  /** Reserves the numbers for a run of `count` commands. */
  function portsFor(count: number) {
    const socket = theBot();
    const firstIndex = nextIndex;
    nextIndex += count;
    return { send: (frames: Buffer) => void socket.write(frames), dialect, firstIndex };
  }

  return {
    port,
    identified,
    get identifies() {
      return identifies;
    },
    ask,
    async runCommands(options) {
      const running = new CommandLoad(options, portsFor(options.count));
      load = running;
      return running.done;
    },
    async sendEvents(count) {
      const startMs = performance.now();
      const socket = theBot();
      const sent = await sendEvents(socket, { count, firstIndex: nextMessage, dialect });
      nextMessage += sent;
      const total = nextMessage - FIRST_MESSAGE;
      const seen = await ask(SEEN, { count: total });
      if (seen !== String(total))
        throw new Error(`The bot received ${String(seen)} of ${total} messages.`);
      return { sent, perSecond: sent / ((performance.now() - startMs) / 1_000) };
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
