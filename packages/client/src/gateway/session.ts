import { settlesWithin, soon, type Clock, type Timer } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { readLeniently, readySchema, type Frame, type Ready } from '@virgule/core/protocol';
import { redact } from '../request/token.js';
import { closed, lost, upgradeRefused, type SessionEnding } from './endings.js';
import { readFrame, type FrameCounter } from './frames.js';
import type { ResolvedGatewayOptions } from './gateway-options.js';
import {
  resolveHeartbeatInterval,
  SOCKET_GRACE_MS,
  startDeadline,
  startHeartbeat,
  type Heartbeat,
} from './heartbeat.js';
import type { GatewayEvent } from './port.js';
import { openSocket, type GatewaySocket, type SocketData } from './socket-port.js';

/** Maximum size of a frame, in bytes. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** Maximum number of unexpected fields of READY in a log line. */
const MAX_FIELDS = 10;

/** Time limit for the peer to answer a close, in milliseconds. ws itself waits 30 s. */
const CLOSE_MS = 1_000;

/** Property `code` of the error of ws for a frame above `maxPayload`. */
const OVERSIZED = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';

/** Close code of a connection that ended without a close frame. */
const NO_CLOSE_FRAME = 1006;

export interface SessionListener {
  identifying(): void;
  ready(ready: Ready): void;
  event(event: GatewayEvent): void;
  /** Called once, as the last call; never called after `close()`. */
  ended(ending: SessionEnding): void;
}

export type Moment = ReturnType<typeof momentOf>;

/** Time limits of the steps of a connection, in milliseconds: until its upgrade, HELLO, and READY. */
const STEP_MS = { connecting: 10_000, hello: 10_000, identifying: 15_000 };

/** Connection from its opening to its end, after which late timers, callbacks and frames have no effect. */
export class GatewaySession {
  /** Time of READY, by `Clock.monotonic()`; kept after the end of the connection. */
  readyAtMs: number | undefined;
  /** Time of the last answer to a heartbeat, by `Clock.monotonic()`. */
  ackAtMs: number | undefined;
  /** Time between two heartbeats, in milliseconds; `undefined` before HELLO. */
  heartbeatMs: number | undefined;
  /** Time of the last frame, without frames that may have waited in the socket while this process was suspended. */
  lastArrivalAt: Moment;
  readonly #options: ResolvedGatewayOptions;
  readonly #counter: FrameCounter;
  readonly #listener: SessionListener;
  #state: keyof typeof STEP_MS | 'ready' | 'over' = 'connecting';
  #socket: GatewaySocket | undefined;
  #stepTimer: Timer | undefined;
  #heartbeat: Heartbeat | undefined;
  #onSocketClosed: (() => void) | undefined;
  #lastFrameAtMs: number;
  #isFrameNoted = false;
  /** Time of HELLO or of the last heartbeat, when this process certainly ran. */
  #ranAt: Moment | undefined;
  /** Time until which frames may have waited in the socket while this process was suspended or blocked. */
  #staleUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: ResolvedGatewayOptions, counter: FrameCounter, listener: SessionListener) {
    this.#options = options;
    this.#counter = counter;
    this.#listener = listener;
    this.lastArrivalAt = momentOf(options.clock);
    this.#lastFrameAtMs = this.lastArrivalAt.monotonicMs;
  }

  get isReady(): boolean {
    return this.#state === 'ready';
  }

  open(): void {
    const { WebSocket, address, token } = this.#options;
    this.#enter('connecting', 'no connection');
    let socket: GatewaySocket;
    try {
      if (!WebSocket) throw new Error('ws is not loaded');
      socket = openSocket(WebSocket, address, MAX_FRAME_BYTES);
    } catch (error) {
      return this.#end(lost(`the socket could not be made: ${errorText(error)}`));
    }
    this.#socket = socket;
    socket.on('open', () => {
      if (this.#state === 'connecting') this.#enter('hello', 'no HELLO');
    });
    socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    socket.on('unexpected-response', (_request, response) => this.#end(upgradeRefused(response)));
    // The listener is never removed: a late error of the socket must not crash the process.
    socket.on('error', (error: Error & { readonly code?: unknown }) => {
      if (this.#isLive && error.code === OVERSIZED) this.#counter.count('oversized');
      // The message of Node.js is empty when several addresses of a host failed.
      const code = typeof error.code === 'string' ? error.code : error.name;
      this.#end(lost(redact(error.message || code, token)));
    });
    socket.on('close', (code, text) => {
      this.#onSocketClosed?.();
      if (this.#isLive && code !== NO_CLOSE_FRAME) this.#noteFrame();
      this.#end(closed(code, redact(Buffer.from(text).toString('utf8'), token), this.isReady));
    });
  }

  /** Ends the connection with a close frame, and drops it if the peer does not answer the frame. */
  async close(): Promise<void> {
    const socket = this.#socket;
    const isOpen = this.#isLive && this.#state !== 'connecting';
    this.#stop();
    if (!isOpen) socket?.terminate();
    if (!socket || !isOpen) return;
    const closed = new Promise<void>((resolve) => (this.#onSocketClosed = resolve));
    socket.close(1000);
    if (!(await settlesWithin(closed, CLOSE_MS, this.#options.clock))) socket.terminate();
  }

  /** Ends a connection that has received nothing of use since a time. */
  drop(since: Moment, reason: string): void {
    this.lastArrivalAt = since;
    this.#end(lost(reason));
  }

  get #isLive(): boolean {
    return this.#state !== 'over';
  }

  #onMessage(data: SocketData, isBinary: boolean): void {
    if (!this.#isLive) return;
    this.#noteFrame();
    const frame = readFrame(data, isBinary, this.#counter.lastKnown);
    if (typeof frame === 'string') return this.#counter.count(frame);
    switch (frame.op) {
      case 'DISPATCH':
        this.#onDispatch(frame);
        break;
      case 'HEARTBEAT_ACK':
        if (this.#heartbeat?.ack()) this.ackAtMs = this.#lastFrameAtMs;
        else this.#counter.count('unexpected', frame.op);
        break;
      case 'HELLO':
        this.#onHello(frame.d);
        break;
      default:
        this.#counter.count('unknownOp', frame.op);
    }
  }

  #onHello(hello: unknown): void {
    if (this.#state !== 'hello') return this.#counter.count('unexpected', 'HELLO');
    const { profile, log, clock, random, token, intents, onBody } = this.#options;
    onBody?.('HELLO', hello);
    const { intervalMs, problem } = resolveHeartbeatInterval(hello, profile);
    if (problem) log.warn({ problem, intervalMs }, 'HELLO has no valid heartbeat interval');
    this.heartbeatMs = intervalMs;
    this.#ranAt = this.lastArrivalAt;
    this.#heartbeat = startHeartbeat({
      clock,
      random,
      intervalMs,
      beat: () => {
        const now = momentOf(clock);
        this.#judgeStall(now);
        this.#ranAt = now;
        this.#send({ op: 'HEARTBEAT' });
      },
      lastFrameAtMs: () => this.#lastFrameAtMs,
      dead: (waitedMs) => this.#end(lost(`no answer to a heartbeat in ${waitedMs} ms`)),
    });
    this.#enter('identifying', 'no READY');
    this.#listener.identifying();
    this.#send({ op: 'IDENTIFY', d: intents ? { token, intents } : { token } });
  }

  #onDispatch({ t = '', d }: Frame): void {
    if (t === 'READY') return this.#onReady(d);
    if (!this.isReady) return this.#counter.count('early', t);
    const name = this.#counter.countEvent(t);
    this.#options.onBody?.(name, d);
    this.#listener.event({ t: name, d, receivedAtMs: this.#lastFrameAtMs });
  }

  #onReady(payload: unknown): void {
    if (this.#state !== 'identifying') return this.#counter.count('unexpected', 'READY');
    const reading = readLeniently(readySchema, payload);
    if (!reading.success)
      return this.#end(lost(`READY cannot be read: ${reading.field}: ${reading.reason}`));
    const { data, odd } = reading;
    if (odd.length > 0) {
      const message = 'READY has fields of an unexpected type; they are passed on as they are';
      this.#options.log.warn({ fields: odd.slice(0, MAX_FIELDS) }, message);
    }
    this.#state = 'ready';
    this.readyAtMs = this.#lastFrameAtMs;
    this.#stepTimer?.cancel();
    this.#listener.ready(data);
  }

  #send(frame: Frame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  #enter(state: keyof typeof STEP_MS, problem: string): void {
    const deadlineMs = STEP_MS[state];
    this.#state = state;
    this.#stepTimer?.cancel();
    this.#stepTimer = startDeadline(this.#options.clock, deadlineMs, () =>
      this.#end(lost(`${problem} in ${deadlineMs} ms`)),
    );
  }

  #end(ending: SessionEnding): void {
    if (!this.#isLive) return;
    this.#stop();
    // `close()` would wait for a silent peer.
    this.#socket?.terminate();
    this.#listener.ended(ending);
  }

  #stop(): void {
    this.#state = 'over';
    this.#stepTimer?.cancel();
    this.#heartbeat?.stop();
  }

  /** Records the time of a frame, once for all frames of a read: reading the clock for each costs 3 % of the event rate. */
  #noteFrame(): void {
    if (this.#isFrameNoted) return;
    this.#isFrameNoted = true;
    soon(() => (this.#isFrameNoted = false));
    const now = momentOf(this.#options.clock);
    this.#lastFrameAtMs = now.monotonicMs;
    this.#judgeStall(now);
    if (now.monotonicMs >= this.#staleUntilMs) this.lastArrivalAt = now;
  }

  /** Detects an overdue heartbeat by either clock, because the monotonic clock may stop while the machine sleeps. */
  #judgeStall({ wallMs, monotonicMs }: Moment): void {
    if (!this.#ranAt || this.heartbeatMs === undefined) return;
    const passedMs = Math.max(wallMs - this.#ranAt.wallMs, monotonicMs - this.#ranAt.monotonicMs);
    if (passedMs <= this.heartbeatMs + SOCKET_GRACE_MS) return;
    this.#staleUntilMs = monotonicMs + SOCKET_GRACE_MS;
  }
}

export function momentOf(clock: Pick<Clock, 'now' | 'monotonic'>) {
  return { wallMs: clock.now(), monotonicMs: clock.monotonic() };
}
