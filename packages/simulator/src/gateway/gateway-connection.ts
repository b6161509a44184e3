import type { Clock, Timer } from '@virgule/core/clock';
import { orUndefined, recordIn } from '@virgule/core/objects';
import {
  frameSchema,
  identifySchema,
  type BotMe,
  type Frame,
  type Intent,
} from '@virgule/core/protocol';
import type { RawData } from 'ws';
import * as z from 'zod';
import { omitFields } from '../faults/answer-with-fault.js';
import type { Fault, Faults } from '../faults/faults.js';
import { traceFrame } from '../trace/trace-rows.js';
import type { Trace } from '../trace/trace.js';
import { botMe, botWithToken } from '../world/bots.js';
import type { World } from '../world/world.js';
import { JoinedWrites, type Wire } from './joined-writes.js';
import type { ServerSocket } from './server-socket.js';

/** Close codes of the gateway. The Bot Interface specifies none: all are assumed. */
export const CLOSE = {
  goingAway: 1001,
  /** An invalid frame, or a frame that only the server sends. */
  badFrame: 4002,
  notIdentified: 4003,
  badToken: 4004,
  alreadyIdentified: 4005,
  /** Another socket with the same token replaced this socket, or was open first. */
  replaced: 4009,
  /** No heartbeat for two intervals. */
  noHeartbeat: 4010,
} as const;

/** Maximum time for which a frame waits for the next frame to overtake it, in milliseconds. */
const HELD_MS = 1_000;

/** Maximum size of the write buffer of a socket, in bytes. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

/** Parts of the simulator that the gateway uses. */
export interface GatewayEnvironment {
  readonly world: World;
  /** Clock of the connections. */
  readonly clock: Clock;
  readonly trace: Trace;
  readonly faults: Faults;
}

interface GatewayConnectionOptions extends GatewayEnvironment {
  /** Called after a valid token. Returns the payload of READY, or `undefined` if the socket is rejected. */
  readonly onIdentify: (connection: GatewayConnection, bot: BotMe) => object | undefined;
  /** Called when the socket receives no more events. */
  readonly onEnd: (bot: BotMe) => void;
  readonly onClose: (connection: GatewayConnection) => void;
}

/** A socket of the gateway, from HELLO to close. */
export class GatewayConnection {
  readonly #socket: ServerSocket;
  readonly #options: GatewayConnectionOptions;
  readonly #writes: JoinedWrites;
  isIdentified = false;
  /** The bot that identified, also after the end of the connection. */
  bot: BotMe | undefined;
  #intents: ReadonlySet<string> | undefined;
  #heartbeatTimer: Timer;
  #held: string | undefined;
  #heldTimer: Timer | undefined;
  #isSilent = false;

  /** @param wire - the underlying socket; absent for a connection inside this process. */
  constructor(socket: ServerSocket, wire: Wire | undefined, options: GatewayConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#writes = new JoinedWrites(wire);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', (code, reason) => {
      options.trace.add({
        kind: 'notice',
        from: 'platform',
        bot: this.bot?.username,
        what: `socket closed${reason.length > 0 ? `: ${String(reason)}` : ''}`,
        isError: code !== 1000 && code !== 1001,
        status: code,
      });
      this.#heartbeatTimer.cancel();
      this.#heldTimer?.cancel();
      this.#end();
      options.onClose(this);
    });
    this.#heartbeatTimer = this.#startHeartbeatTimer();
    this.#send({
      op: 'HELLO',
      d: { heartbeatInterval: options.world.profile.heartbeat.intervalMs },
    });
  }

  /** Returns whether the socket receives events of an intent: without `intents` in IDENTIFY, all events. */
  wants(intent: Intent): boolean {
    return this.isIdentified && (this.#intents?.has(intent) ?? true);
  }

  /** Sends a serialized frame, unless a fault prevents this. `name` is the event or operation of the frame. */
  sendFrame(name: string, text: string): void {
    const fault = this.#options.faults.ofFrame(name, this.bot?.username);
    if (fault === undefined) this.#sendText(text);
    else this.#sendWithFault(fault, text);
  }

  #sendWithFault(fault: Fault, text: string): void {
    const { effect } = fault;
    switch (effect.type) {
      case 'lose':
        return;
      case 'duplicate':
        this.#sendText(text);
        break;
      // Sent after the next frame, or after a second.
      case 'reorder':
        this.#release();
        this.#held = text;
        this.#heldTimer = this.#options.clock.setTimeout(() => this.#release(), HELD_MS);
        return;
      case 'malformed':
        return this.#sendText(text.slice(0, text.length / 2));
      case 'omit':
        return this.#sendText(omitFromPayload(text, effect.fields));
      case 'delay': {
        const ms = effect.ms + fault.random() * (effect.jitterMs ?? 0);
        this.#options.clock.setTimeout(() => this.#sendText(text), ms);
        return;
      }
      case 'close':
        return this.close(effect.code, 'a fault of the simulator');
      case 'silence':
        this.#isSilent = true;
        this.#heartbeatTimer.cancel();
        return;
      default:
      // The schema allows the other effects only for requests.
    }
    this.#sendText(text);
  }

  #release(): void {
    this.#heldTimer?.cancel();
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#sendText(held);
  }

  #sendText(text: string): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN || this.#isSilent) return;
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) return this.terminate();
    this.#writes.join();
    socket.send(text);
    if (this.#held !== undefined) this.#release();
  }

  close(code: number, reason: string): void {
    this.#writes.flush();
    this.#socket.close(code, reason);
    this.#end();
  }

  /** Ends the connection without a close frame, as a broken network does. */
  terminate(): void {
    this.#writes.flush();
    this.#socket.terminate();
    this.#end();
  }

  #end(): void {
    if (!this.isIdentified) return;
    this.isIdentified = false;
    if (this.bot !== undefined) this.#options.onEnd(this.bot);
  }

  #send(frame: Frame): void {
    const text = JSON.stringify(frame);
    traceFrame(this.#options.trace, 'platform', text, this.bot?.username);
    this.sendFrame(frame.t ?? frame.op, text);
  }

  #startHeartbeatTimer(): Timer {
    const { clock, world } = this.#options;
    const { intervalMs, fallbackMs, boundsMs } = world.profile.heartbeat;
    // A profile may send an invalid interval, which must not start a busy timer.
    const keptMs = Math.min(Math.max(intervalMs || fallbackMs, boundsMs.min), boundsMs.max);
    const end = (): void => {
      this.close(CLOSE.noHeartbeat, 'no heartbeat for two intervals');
      // An unreachable peer would never complete the closing handshake.
      this.terminate();
    };
    return clock.setTimeout(end, keptMs * 2, { isRoutine: true });
  }

  #receive(data: RawData, isBinary: boolean): void {
    const { trace, faults, world } = this.#options;
    if (this.#socket.readyState !== this.#socket.OPEN || this.#isSilent) return;
    // Text frames arrive as one Buffer: ws joins fragments by default.
    const text = isBinary ? '' : (data as Buffer).toString('utf8');
    const frame = readFrame(text);
    const identify = frame?.op === 'IDENTIFY' ? identifySchema.safeParse(frame.d) : undefined;
    const known = botWithToken(world.state, identify?.data?.token ?? '');
    const bot = this.bot ?? (known && botMe(known));
    traceFrame(trace, 'bot', text, bot?.username);
    const fault = frame && faults.ofFrame(frame.op, bot?.username);
    if (fault !== undefined) {
      // A frame of the bot is lost with any fault.
      const { type } = fault.effect;
      if (type === 'silence' || type === 'close') this.#sendWithFault(fault, '');
    } else if (frame === undefined) {
      this.close(CLOSE.badFrame, 'a frame must be a JSON object with op');
    } else if (identify !== undefined) {
      this.#identify(identify, bot);
    } else if (!this.isIdentified) {
      this.close(CLOSE.notIdentified, 'the first frame must be IDENTIFY');
    } else if (frame.op === 'HEARTBEAT') {
      this.#heartbeatTimer.cancel();
      this.#heartbeatTimer = this.#startHeartbeatTimer();
      this.#send({ op: 'HEARTBEAT_ACK' });
    } else {
      this.close(CLOSE.badFrame, `a bot must not send ${frame.op.slice(0, 32)}`);
    }
  }

  #identify(
    { success, data, error }: ReturnType<typeof identifySchema.safeParse>,
    bot: BotMe | undefined,
  ): void {
    if (this.isIdentified) return this.close(CLOSE.alreadyIdentified, 'IDENTIFY was already sent');
    if (!success) {
      const field = z.core.toDotPath(['d', ...(error.issues[0]?.path ?? [])]);
      return this.close(CLOSE.badFrame, `IDENTIFY: ${field} is invalid`);
    }
    if (bot === undefined) return this.close(CLOSE.badToken, 'the token is invalid');
    this.#intents = data.intents && new Set(data.intents);
    this.isIdentified = true;
    this.bot = bot;
    const ready = this.#options.onIdentify(this, bot);
    if (ready !== undefined) this.#send({ op: 'DISPATCH', t: 'READY', d: ready });
  }
}

const readFrame = (text: string): Frame | undefined =>
  frameSchema.safeParse(orUndefined(() => JSON.parse(text))).data;

function omitFromPayload(text: string, fields: readonly string[]): string {
  const frame = recordIn(text);
  const d: unknown = JSON.parse(omitFields(JSON.stringify(frame?.['d'] ?? null), fields));
  return JSON.stringify({ ...frame, d });
}
