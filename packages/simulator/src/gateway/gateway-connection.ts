import type { Clock, Timer } from '@virgule/core/clock';
import {
  frameSchema,
  identifySchema,
  type Frame,
  type Intent,
  type Profile,
} from '@virgule/core/protocol';
import type { RawData } from 'ws';
import { fieldName } from '../server/validate.js';
import { CLOSE } from './close-codes.js';
import { JoinedWrites, type Wire } from './joined-writes.js';
import type { ServerSocket } from './server-socket.js';

/** Maximum size of the write buffer of a socket, in bytes. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

export interface GatewayConnectionOptions {
  readonly socket: ServerSocket;
  /** The underlying socket; absent for a connection inside this process. */
  readonly wire?: Wire | undefined;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly token: string;
  /** Called when the socket sent the right token. Returns the payload of READY, or `undefined` if the socket is rejected. */
  readonly onIdentify: (connection: GatewayConnection) => object | undefined;
  /** Called when the socket receives no more events. */
  readonly onEnd: () => void;
  /** Called when the socket is closed. */
  readonly onClose: (connection: GatewayConnection) => void;
}

/** A socket of the gateway, from HELLO to close. */
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

  /** Returns whether the socket receives events of an intent. Without `intents` in IDENTIFY, it receives all. */
  wants(intent: Intent): boolean {
    return this.#isIdentified && (this.#intents?.has(intent) ?? true);
  }

  /** Sends a serialized frame. */
  sendText(text: string): void {
    const { socket } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) {
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

  /** Ends the connection without a close frame, as a broken network does. */
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
    // A profile may send an invalid interval, which must not start a busy timer.
    const statedMs = profile.heartbeatIntervalMs || profile.heartbeatFallbackMs;
    const intervalMs = Math.min(Math.max(statedMs, min), max);
    return clock.setTimeout(() => {
      this.close(CLOSE.noHeartbeat, 'no heartbeat for two intervals');
      // An unreachable peer would never complete the closing handshake.
      this.terminate();
    }, intervalMs * 2);
  }

  #receive(data: RawData, isBinary: boolean): void {
    const { socket } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    const frame = isBinary ? undefined : readFrame(data);
    if (frame === undefined) {
      this.close(CLOSE.badFrame, 'a frame must be a JSON object with op');
    } else if (frame.op === 'IDENTIFY') {
      this.#identify(frame);
    } else if (!this.#isIdentified) {
      this.close(CLOSE.notIdentified, 'the first frame must be IDENTIFY');
    } else if (frame.op === 'HEARTBEAT') {
      this.#heartbeatTimer.cancel();
      this.#heartbeatTimer = this.#startHeartbeatTimer();
      this.#send({ op: 'HEARTBEAT_ACK' });
    } else {
      this.close(CLOSE.badFrame, `a bot must not send ${frame.op.slice(0, 32)}`);
    }
  }

  #identify({ d }: Frame): void {
    if (this.#isIdentified) {
      this.close(CLOSE.alreadyIdentified, 'IDENTIFY was already sent');
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
    // Text frames arrive as one Buffer: ws joins fragments by default.
    const { data: frame } = frameSchema.safeParse(JSON.parse((data as Buffer).toString('utf8')));
    return frame;
  } catch {
    return undefined;
  }
}
