import { readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { GatewayStatus } from '@virgule/client/gateway';
import type { GatewayPort } from './gateway-port.js';
import type { Rest } from '@virgule/client/rest';

/** Where a command is in a trace, as headers such as `traceparent`, so that another process continues it. */
export type Trace = Readonly<Record<string, string>>;

/** A command that is about to run. */
export interface CommandStart {
  readonly command: string;
  readonly interactionId: string;
  /** When its frame was received: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
  /** What `passing` returned in the process that received it; `undefined` if that is this one. */
  readonly trace?: Trace | undefined;
}

/** A command that has run. */
export interface CommandRecord {
  readonly command: string;
  readonly interactionId: string;
  /** The state it ended in, such as `answered`. */
  readonly outcome: string;
  /** How its run ended: `ok`, or why not, such as `input`, `cooldown`, `timed-out` or `failed`. */
  readonly result: string;
  /** The error; `undefined` if there was none. */
  readonly error: unknown;
  /** From the receipt of its frame to its end, in milliseconds. */
  readonly ms: number;
}

/** The parts of a bot that connects. */
export interface ConnectingParts {
  readonly rest: Rest;
  readonly gateway: GatewayPort;
  /** Returns figures of a bot of several processes. */
  readonly metrics?: GatewayPort['metrics'];
}

/** Observes a bot, for metrics and traces. What it throws is logged, and has no other effect. */
export interface BotObserver {
  /** Called once, before the bot connects. */
  readonly connecting?: (parts: ConnectingParts) => void;
  /** Receives the states of the connection, as `GatewayListener.status` does. */
  readonly status?: (status: GatewayStatus) => void;
  /** Called in a gateway of a bot of several processes, with a command that it passes on to a worker. */
  readonly passing?: (start: CommandStart) => Trace | undefined;
  /** Calls `run`, which never rejects, in a context of its own, and returns its promise. */
  readonly around?: (start: CommandStart, run: () => Promise<void>) => Promise<void>;
  /** Called when a command has its outcome. */
  readonly ended?: (record: CommandRecord) => void;
}

/** All observers of a bot as one, which never throws. */
export type Observation = ReturnType<typeof observe>;

/** Combines observers; the first one is the outermost. */
export function observe(observers: readonly BotObserver[], log: Log) {
  const failed = (name: keyof BotObserver, error: unknown, details?: object): void =>
    log.error({ err: readableError(error), ...details }, `an observer threw in "${name}"`);

  function attempt<Result>(name: keyof BotObserver, call: () => Result): Result | undefined {
    try {
      return call();
    } catch (error) {
      failed(name, error);
      return undefined;
    }
  }
  const each = (name: keyof BotObserver, notify: (observer: BotObserver) => void): void => {
    for (const observer of observers) attempt(name, () => notify(observer));
  };

  /** Wraps a command so that it runs once and is waited for, whatever the observer does. */
  const guarded =
    (start: CommandStart) =>
    (run: () => Promise<void>, observer: BotObserver): (() => Promise<void>) =>
    async () => {
      let running: Promise<void> | undefined;
      const once = (): Promise<void> => (running ??= run());
      try {
        await observer.around?.(start, once);
      } catch (error) {
        failed('around', error, { command: start.command });
      }
      await once();
    };
  const wrappers = observers.filter(({ around }) => around).toReversed();
  // One trace continues in the other process.
  const passer = observers.find(({ passing }) => passing);
  return {
    passing: passer && ((start: CommandStart) => attempt('passing', () => passer.passing?.(start))),
    connecting: (parts: ConnectingParts) =>
      each('connecting', (observer) => observer.connecting?.(parts)),
    status: (status: GatewayStatus) => each('status', (observer) => observer.status?.(status)),
    ended: (record: CommandRecord) => each('ended', (observer) => observer.ended?.(record)),
    around: (start: CommandStart, run: () => Promise<void>) =>
      wrappers.reduce(guarded(start), run)(),
  };
}
