import { isVirguleError, errorText } from '@virgule/core/errors';
import { soon, type Clock, type Timer } from '@virgule/core/clock';
import { voiceErrors } from '../errors/voice-errors.js';
import type { OpenTransport, Transport } from '../transport/transport.js';
import { publish, type WhipSession, type WhipTarget } from '../whip/whip-client.js';
import type { HostListener, HostReply, HostRequest, Platform } from './message.js';
import { createPacedStream, createPacer, type PacedStream } from './paced-stream.js';

export interface EngineOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly loadTransport: () => Promise<OpenTransport>;
  /** Receives replies, always asynchronously, as from another process. */
  readonly reply: HostListener['reply'];
  /** @defaultValue `globalThis.fetch` */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Time limit from the offer to the connection, in milliseconds: an ingress ends slower sessions. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Time in which a disconnected connection can recover, in milliseconds. */
const RECOVER_TIMEOUT_MS = 4_000;

interface Connection {
  readonly abort: AbortController;
  transport?: Transport;
  session?: WhipSession;
  timer?: Timer | undefined;
}

interface Stream {
  readonly channelId: string;
  readonly ssrc: number;
  readonly paced: PacedStream;
  readonly leavePacer: () => void;
  epoch: number;
  connection?: Connection | undefined;
}

/** Creates the engine that sends the streams of a bot. A blocked event loop of its process interrupts the audio. */
export function createEngine(options: EngineOptions) {
  const { clock, random, loadTransport, fetch } = options;
  const reply = (message: HostReply): void => soon(() => options.reply(message));
  const pacer = createPacer(clock);
  const streams = new Map<number, Stream>();
  const closing = new Set<Promise<void>>();
  let platform: Platform | undefined;

  function open(id: number, channelId: string): Stream {
    const ssrc = 1 + Math.floor(random() * (2 ** 32 - 1));
    const paced = createPacedStream({
      ssrc,
      random,
      report: (type, count) => reply({ type, id, epoch: stream.epoch, count, stats: paced.stats }),
    });
    const leavePacer = pacer.add((count) => paced.frames(count));
    const stream: Stream = { channelId, ssrc, paced, leavePacer, epoch: 0 };
    streams.set(id, stream);
    return stream;
  }

  async function connect(id: number, stream: Stream, target: WhipTarget): Promise<void> {
    const connection: Connection = { abort: new AbortController() };
    stream.connection = connection;
    const lose = (reason: string, error?: unknown): void => {
      if (stream.connection !== connection) return;
      stream.connection = undefined;
      void track(end(stream, connection));
      const refusal = isVirguleError(error)
        ? { code: error.code, details: { ...error.details } }
        : undefined;
      reply({ type: 'lost', id, reason, error: refusal });
    };
    const loseAfter = (delayMs: number, reason: string): void => {
      connection.timer?.cancel();
      connection.timer = clock.setTimeout(() => lose(reason), delayMs);
    };
    try {
      const openTransport = await loadTransport();
      const { signal } = connection.abort;
      signal.throwIfAborted();
      const transport = openTransport({ ssrc: stream.ssrc });
      connection.transport = transport;
      loseAfter(CONNECT_TIMEOUT_MS, `no connection within ${CONNECT_TIMEOUT_MS / 1_000} seconds`);
      let isConnected = false;
      transport.onState((state) => {
        if (state === 'connected') {
          connection.timer?.cancel();
          if (stream.connection !== connection) return;
          stream.paced.send = (packet) => {
            try {
              transport.send(packet);
            } catch (error) {
              // The pacer sends the other streams as well.
              lose(errorText(error));
            }
          };
          if (!isConnected) reply({ type: 'connected', id });
          isConnected = true;
        } else if (state === 'disconnected') {
          loseAfter(RECOVER_TIMEOUT_MS, 'the connection was interrupted');
        } else if (state !== 'connecting') {
          lose(`the connection ${state === 'failed' ? 'failed' : 'was closed'}`);
        }
      });
      connection.session = await publish(target, await transport.offer(), { clock, fetch, signal });
      signal.throwIfAborted();
      await transport.accept(connection.session.answer).catch((error: unknown) => {
        const { origin: address } = new URL(target.url);
        const details = { kind: 'answer', address, reason: errorText(error) } as const;
        throw voiceErrors.E_VOICE_INGRESS(details, { cause: error });
      });
    } catch (error) {
      if (connection.abort.signal.aborted) void track(end(stream, connection));
      else lose(errorText(error), error);
    }
  }

  /** Ends a connection. Failures are ignored, because the ingress is closed anyway. */
  async function end(stream: Stream, connection: Connection): Promise<void> {
    connection.timer?.cancel();
    connection.abort.abort();
    if (stream.connection === connection || !stream.connection) stream.paced.send = undefined;
    const { session, transport } = connection;
    delete connection.session;
    delete connection.transport;
    await Promise.allSettled([session?.end(), transport?.close()]);
  }

  function track(promise: Promise<void>): Promise<void> {
    closing.add(promise);
    return promise.finally(() => closing.delete(promise));
  }

  async function closeStream(id: number): Promise<void> {
    const stream = streams.get(id);
    streams.delete(id);
    if (stream) {
      stream.leavePacer();
      const { connection } = stream;
      // Later reports of the connection are ignored.
      stream.connection = undefined;
      if (connection) await track(end(stream, connection));
    }
    reply({ type: 'closed', id });
  }

  return {
    get platform() {
      return platform;
    },
    get channels() {
      return [...streams.values()].map(({ channelId }) => channelId);
    },
    send(request: HostRequest): void {
      if (request.type === 'platform') return void ({ platform } = request);
      const { id } = request;
      if (request.type === 'close') return void closeStream(id);
      if (request.type === 'connect') {
        const stream = streams.get(id) ?? open(id, request.channelId);
        if (stream.connection) void track(end(stream, stream.connection));
        return void connect(id, stream, request.target);
      }
      const stream = streams.get(id);
      if (!stream) return;
      if (request.type === 'pause') stream.paced.isPaused = request.isPaused;
      else if (request.type === 'flush') {
        stream.epoch = request.epoch;
        stream.paced.flush();
      } else if (request.epoch === stream.epoch) {
        if (request.type === 'packets') stream.paced.push(request.packets);
        else stream.paced.end();
      }
    },
    /** Ends the sessions of every stream. The caller has to close their ingresses. */
    async close(): Promise<void> {
      await Promise.all([...streams.keys()].map(closeStream));
      await Promise.all(closing);
    },
  };
}
