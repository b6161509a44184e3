import type { Clock, Timer } from '@virgule/core/clock';
import {
  frameSchema,
  identifySchema,
  type Frame,
  type Intent,
  type Profile,
} from '@virgule/core/protocol';
import type { RawData, WebSocket } from 'ws';
import { fieldName } from '../server/validate.js';
import { CLOSE } from './close-codes.js';
import { JoinedWrites, type Wire } from './joined-writes.js';

/** What may wait to be read by a socket, in bytes. */
const BUFFERED_MAX_BYTES = 16 * 1024 * 1024;

export interface GatewayConnectionOptions {
  readonly socket: WebSocket;
  /** What the socket is written to. */
  readonly wire: Wire;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly token: string;
  /** The socket sent the right token: gives the payload of READY, or nothing when it is turned away. */
  readonly onIdentify: (connection: GatewayConnection) => object | undefined;
  /** The socket gets no more events. */
  readonly onEnd: () => void;
  /** The socket is closed. */
  readonly onClose: (connection: GatewayConnection) => void;
}

/** One socket of the gateway, from HELLO to its end. */
export class GatewayConnection {
  readonly #options: GatewayConnectionOptions;
  readonly #writes: JoinedWrites;
  #isIdentified = false;
  #intents: ReadonlySet<string> | undefined;
  #heartbeatTimer: Timer;

  constructor(options: GatewayConnectionOptions) {
    this.#options = options;
    this.#writes = new JoinedWrites(options.wire);
    const { socket, profile } = options;
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => {
      this.#heartbeatTimer.cancel();
      this.#end();
      options.onClose(this);
    });
    this.#heartbeatTimer = this.#startHeartbeatTimer();
    this.#send({ op: 'HELLO', d: { heartbeatInterval: profile.heartbeatIntervalMs } });
  }

  get isIdentified(): boolean {
    return this.#isIdentified;
  }

  /** Whether events of an intent go to this socket: `intents` is optional and narrows delivery. */
  wants(intent: Intent): boolean {
    return this.#isIdentified && (this.#intents?.has(intent) ?? true);
  }

  /** Sends a frame that was written as JSON already. */
  sendText(text: string): void {
    const { socket } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > BUFFERED_MAX_BYTES) {
      this.terminate();
      return;
    }
    this.#writes.join();
    socket.send(text);
  }

  close(code: number, reason: string): void {
    this.#writes.flush();
    this.#options.socket.close(code, reason);
    this.#end();
  }

  /** Ends the connection without a word, as a broken network does. */
  terminate(): void {
    this.#writes.flush();
    this.#options.socket.terminate();
    this.#end();
  }

  #end(): void {
    if (!this.#isIdentified) return;
    this.#isIdentified = false;
    this.#options.onEnd();
  }

  #send(frame: Frame): void {
    this.sendText(JSON.stringify(frame));
  }

  #startHeartbeatTimer(): Timer {
    const { clock, profile } = this.#options;
    const { min, max } = profile.heartbeatBoundsMs;
    // A profile may send any nonsense as the interval; the timer must not run wild with it.
    const saneMs = profile.heartbeatIntervalMs || profile.heartbeatFallbackMs;
    const intervalMs = Math.min(Math.max(saneMs, min), max);
    return clock.setTimeout(() => {
      this.close(CLOSE.noHeartbeat, 'no heartbeat for two intervals');
      // A peer that is gone would never finish the closing handshake.
      this.terminate();
    }, intervalMs * 2);
  }

  #receive(data: RawData, isBinary: boolean): void {
    const { socket } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    const frame = isBinary ? undefined : readFrame(data);
    if (frame === undefined) {
      this.close(CLOSE.badFrame, 'a frame is a JSON object with op');
    } else if (frame.op === 'IDENTIFY') {
      this.#identify(frame);
    } else if (!this.#isIdentified) {
      this.close(CLOSE.notIdentified, 'the first frame must be IDENTIFY');
    } else if (frame.op === 'HEARTBEAT') {
      this.#heartbeatTimer.cancel();
      this.#heartbeatTimer = this.#startHeartbeatTimer();
      this.#send({ op: 'HEARTBEAT_ACK' });
    } else {
      this.close(CLOSE.badFrame, `a bot does not send ${frame.op.slice(0, 32)}`);
    }
  }

  #identify({ d }: Frame): void {
    if (this.#isIdentified) {
      this.close(CLOSE.alreadyIdentified, 'IDENTIFY was sent before');
      return;
    }
    const { success, data, error } = identifySchema.safeParse(d);
    if (!success) {
      const field = fieldName(['d', ...(error.issues[0]?.path ?? [])]);
      this.close(CLOSE.badFrame, `IDENTIFY: ${field} is invalid`);
      return;
    }
    if (data.token !== this.#options.token) {
      this.close(CLOSE.badToken, 'the token is invalid');
      return;
    }
    this.#intents = data.intents && new Set(data.intents);
    this.#isIdentified = true;
    const ready = this.#options.onIdentify(this);
    if (ready !== undefined) this.#send({ op: 'DISPATCH', t: 'READY', d: ready });
  }
}

function readFrame(data: RawData): Frame | undefined {
  try {
    // Text frames arrive as one Buffer: ws joins fragments unless told otherwise.
    const { data: frame } = frameSchema.safeParse(JSON.parse((data as Buffer).toString('utf8')));
    return frame;
  } catch {
    return undefined;
  }
}
