import {
  EVENTS,
  GATEWAY_PATH,
  frameSchema,
  type EventName,
  type EventPayloads,
  type Frame,
} from '@virgule/core/protocol';
import type { Simulator } from '@virgule/simulator';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export interface ConnectOptions {
  readonly intents?: readonly string[];
  readonly token?: string;
  /** Leaves IDENTIFY to the test. @defaultValue true */
  readonly identify?: boolean;
}

/** The end of the bot at the gateway, over a plain WebSocket. */
export interface BotSocket {
  /** Every received frame, oldest first. */
  readonly frames: readonly Frame[];
  /** The code and the reason once the socket is closed. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined;
  send(frame: unknown): void;
  sendText(text: string | Buffer): void;
  /** Waits for a frame. Rejects when the socket closes first. */
  frame(matches: (frame: Frame) => boolean): Promise<Frame>;
  /** Waits for the next event with a name that no earlier call returned. */
  event<Name extends EventName>(name: Name): Promise<EventPayloads[Name]>;
  /** Returns the names of the received events, without READY, after all events in flight have arrived. */
  eventNames(): Promise<string[]>;
  /** Resolves with the close code when the socket closes. */
  closeCode(): Promise<number>;
  close(): void;
}

export async function connectBot(
  simulator: Simulator,
  { intents, token = simulator.token, identify = true }: ConnectOptions = {},
): Promise<BotSocket> {
  const socket = new WebSocket(simulator.gatewayUrl + GATEWAY_PATH);
  const frames: Frame[] = [];
  const checks = new Set<() => void>();
  const taken = new Map<string, number>();
  let closed: BotSocket['closed'];

  const checkAll = (): void => checks.forEach((check) => check());
  socket.on('message', (data: Buffer) => {
    frames.push(frameSchema.parse(JSON.parse(String(data))));
    checkAll();
  });
  socket.on('close', (code, reason) => {
    closed = { code, reason: String(reason) };
    checkAll();
  });
  onTestFinished(() => socket.terminate());

  /** Resolves with the first result of `find` that is not undefined. */
  function until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        const found = find();
        if (found === undefined && closed === undefined) return;
        checks.delete(check);
        if (found !== undefined) resolve(found);
        else reject(new Error(`closed with ${closed?.code} after ${JSON.stringify(frames)}`));
      };
      checks.add(check);
      check();
    });
  }

  const send = (frame: unknown): void => socket.send(JSON.stringify(frame));
  const frame = (matches: (frame: Frame) => boolean): Promise<Frame> =>
    until(() => frames.find(matches));

  await frame(({ op }) => op === 'HELLO');
  if (identify) {
    send({ op: 'IDENTIFY', d: { token, intents } });
    await frame(({ t }) => t === 'READY');
  }

  return {
    frames,
    get closed() {
      return closed;
    },
    send,
    sendText: (text) => socket.send(text),
    frame,
    async event(name) {
      const index = taken.get(name) ?? 0;
      taken.set(name, index + 1);
      const { d } = await until(() => frames.filter(({ t }) => t === name)[index]);
      return EVENTS[name].payload.parse(d);
    },
    async eventNames() {
      // Frames keep their order: all frames that were sent before the answer to a heartbeat have arrived with it.
      const acks = (): Frame[] => frames.filter(({ op }) => op === 'HEARTBEAT_ACK');
      const before = acks().length;
      send({ op: 'HEARTBEAT' });
      await until(() => acks()[before]);
      return frames.flatMap(({ t }) => (t === undefined || t === 'READY' ? [] : [t]));
    },
    closeCode: () => until(() => closed?.code),
    close: () => socket.close(),
  };
}
