import { readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { GatewayStatus } from '@virgule/client/gateway';
import type { Caller } from './answer/answer-port.js';
import type { GatewayPort } from './gateway-port.js';
import type { Rest } from '@virgule/client/rest';

/** Position of a command in a trace, as headers such as `traceparent`. Another process continues the trace with it. */
export type Trace = Readonly<Record<string, string>>;

/** A command that is about to run. */
export interface CommandStart {
  readonly command: string;
  readonly interactionId: string;
  /** Time at which the frame was received: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
  /** Trace that `passing` returned in the process that received the command; `undefined` if this process received it. */
  readonly trace?: Trace | undefined;
}

/** Result of a run, independent of the state of its interaction. */
export type RunResult =
  | 'ok'
  /** The typed line could not be read. */
  | 'input'
  /** A `UserError` was thrown. */
  | 'user-error'
  | 'cooldown'
  | 'busy'
  | 'timed-out'
  /** The bot shut down. */
  | 'stopped'
  | 'failed';

/** A command that has run. */
export interface CommandRecord {
  readonly command: string;
  readonly interactionId: string;
  readonly caller: Caller;
  /** Final state of the interaction, such as `answered`. */
  readonly outcome: string;
  /** Result of the run: `ok`, or the reason of a failure, such as `input`, `cooldown`, `timed-out` or `failed`. */
  readonly result: string;
  /** Error of the run; `undefined` if there was none. */
  readonly error: unknown;
  /** Time from the receipt of the frame to the end of the run, in milliseconds. */
  readonly ms: number;
}

/** The parts of a bot that is about to connect. */
export interface ConnectingParts {
  readonly rest: Rest;
  readonly gateway: GatewayPort;
  /** Returns figures of a bot of several processes. */
  readonly metrics?: GatewayPort['metrics'];
}

/** Observes a bot, for metrics and traces. An error that an observer throws is logged, and has no other effect. */
export interface BotObserver {
  /** Called once, before the bot connects. */
  readonly connecting?: (parts: ConnectingParts) => void;
  /** Receives the states of the connection, as `GatewayListener.status` does. */
  readonly status?: (status: GatewayStatus) => void;
  /** Called in the gateway of a bot of several processes, for each command that is passed on to a worker. Returns its trace. */
  readonly passing?: (start: CommandStart) => Trace | undefined;
  /** Calls `run`, which never rejects, inside the context of the observer, such as a span. Returns the promise of `run`. */
  readonly around?: (start: CommandStart, run: () => Promise<void>) => Promise<void>;
  /** Called when a command has ended. */
  readonly ended?: (record: CommandRecord) => void;
}

/** All observers of a bot combined. Its functions never throw. */
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

  /** Wraps a command so that the command runs exactly once and is awaited, even if the observer fails. */
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
  // Only one trace can continue in the other process.
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
