import { createServer, type AddressInfo, type Socket } from 'node:net';
import { CommandLoad, type CommandFigures, type CommandLoadOptions } from './command-load.js';
import { sendEvents } from './event-load.js';
import { headerOf, HttpRequests, jsonAnswer, type PlatformRequest } from './http-requests.js';
import { ACK, answerMessage, BOT_ME, HELLO, READY } from './sample-data.js';
import { ClientFrames, encodeFrame, textFrame, upgradeAnswer } from './web-socket-frames.js';

/** A platform that knows nothing but to ask commands, take answers and send events, fast. */
export interface FakePlatform {
  readonly port: number;
  /** Resolves when a bot has identified. */
  readonly identified: Promise<void>;
  /** Runs commands on the bot that identified last. One run at a time. */
  runCommands(options: CommandLoadOptions): Promise<CommandFigures>;
  /** Sends events to the bot that identified last. Resolves when all are written, with their number. */
  sendEvents(count: number): Promise<number>;
  close(): void;
}

/** Ids below this are the fixed ones of the sample data. */
const FIRST_INTERACTION = 0x1_0000;
/** Far from those of interactions. */
const FIRST_MESSAGE = 0x8000_0000;

const ACK_FRAME = textFrame(ACK);
const EMPTY_LIST = jsonAnswer('[]');
const EMPTY_OBJECT = jsonAnswer('{}');
const ME = jsonAnswer(BOT_ME);

export async function startFakePlatform(): Promise<FakePlatform> {
  const sockets = new Set<Socket>();
  let bot: Socket | undefined;
  let load: CommandLoad | undefined;
  let nextIndex = FIRST_INTERACTION;
  let nextMessage = FIRST_MESSAGE;
  let announce: () => void = () => {};
  const identified = new Promise<void>((resolve) => (announce = resolve));

  function answer(socket: Socket, request: PlatformRequest): void {
    const running = request.method === 'POST' ? load : undefined;
    const content = running?.answer(request.path, request.body);
    if (!running || content === undefined) {
      socket.write(otherAnswer(request));
      return;
    }
    const finish = (): void => {
      socket.write(jsonAnswer(answerMessage(content)));
      running.finished();
    };
    if (running.delayMs === 0) finish();
    else setTimeout(finish, running.delayMs);
  }

  function upgrade(socket: Socket, head: string): void {
    socket.write(upgradeAnswer(headerOf(head, 'sec-websocket-key')));
    socket.write(textFrame(HELLO));
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
    if (op === 'HEARTBEAT') socket.write(ACK_FRAME);
    if (op !== 'IDENTIFY') return;
    bot = socket;
    socket.write(textFrame(READY));
    announce();
  }

  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    const requests = new HttpRequests();
    socket.on('data', (chunk: Buffer) => {
      for (const request of requests.take(chunk)) {
        if (request.path.startsWith('/gateway/bot')) upgrade(socket, request.head);
        else answer(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;

  function theBot(): Socket {
    if (!bot) throw new Error('No bot has identified.');
    return bot;
  }

  return {
    port,
    identified,
    async runCommands(options) {
      const socket = theBot();
      const firstIndex = nextIndex;
      nextIndex += options.count;
      load = new CommandLoad(options, { send: (frames) => socket.write(frames), firstIndex });
      return load.done;
    },
    async sendEvents(count) {
      const sent = await sendEvents(theBot(), { count, firstIndex: nextMessage });
      nextMessage += sent;
      return sent;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

function otherAnswer({ method, path }: PlatformRequest): string {
  if (path.endsWith('/users/@me')) return ME;
  return method === 'GET' ? EMPTY_LIST : EMPTY_OBJECT;
}
