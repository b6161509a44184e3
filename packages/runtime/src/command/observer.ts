import type { Clock } from '@virgule/core/clock';
import { isVirguleError, readableError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { GatewayStatus } from '@virgule/client/gateway';
import type { Caller } from './answer/received-command.js';
import type { GatewayPort } from './gateway-port.js';
import type { Rest } from '@virgule/client/rest';

/** Position of a command in a trace, as headers such as `traceparent`. Another process continues the trace with it. */
export type Trace = Readonly<Record<string, string>>;

/** One piece of work of a bot. Observers get the same object at its start and at its end, which sets the members below `trace`. */
export interface Work {
  /** Kind of the work. A call is a command that code or a language model runs. */
  readonly kind: 'command' | 'call' | 'event' | 'task' | 'rest' | 'storage';
  /** Name of the command or task, file of the event handler, endpoint of the REST call, or name of the storage. */
  readonly name: string;
  /** Id of the interaction, of the message that runs a command, of the call, or of the run of a task. */
  readonly id?: string | undefined;
  /** Caller of a command. */
  readonly caller?: Caller | undefined;
  /** Time of the start, such as the receipt of a frame: a reading of `Clock.monotonic()`, in milliseconds. */
  readonly startMs: number;
  /** Trace that `passing` returned in the process that received the command; `undefined` if this process received it. */
  readonly trace?: Trace | undefined;
  /** Delay of a task run after its due time, in milliseconds. */
  readonly lateMs?: number | undefined;
  /** Final state of the interaction of a command, such as `answered`. */
  readonly outcome?: string | undefined;
  /**
   * `ok`, or the reason of a failure: of a command such as `input`, `cooldown` or `timed-out`; of other work the code of its
   * error, such as `E_TIMEOUT`, or `failed`.
   */
  readonly result?: string | undefined;
  /** Error of the work; `undefined` if there was none. */
  readonly error?: unknown;
  /** Duration, in milliseconds. */
  readonly ms?: number | undefined;
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

/** The parts of a bot that is about to connect. */
export interface ConnectingParts {
  readonly rest: Rest;
  /** The current connection; `undefined` while a gateway of several processes is a standby that has not been connected. */
  readonly gateway: GatewayPort | undefined;
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
  readonly passing?: (work: Work) => Trace | undefined;
  /**
   * Calls `run`, which never rejects, inside the context of the observer, such as a span. Returns the promise of `run`. Not called for
   * uses of the storage.
   */
  readonly around?: (work: Work, run: () => Promise<void>) => Promise<void>;
  /** Called when work has ended. */
  readonly ended?: (work: Work) => void;
}

/** All observers of a bot combined. Its functions never throw. */
export type Observation = ReturnType<typeof observe>;

/** Combines observers; the first one is the outermost. */
export function observe(observers: readonly BotObserver[], log: Log, clock: Clock) {
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
  const guarded = (work: Work) => (run: () => Promise<void>, observer: BotObserver) => async () => {
    let running: Promise<void> | undefined;
    const once = (): Promise<void> => (running ??= run());
    try {
      await observer.around?.(work, once);
    } catch (error) {
      failed('around', error, { [work.kind]: work.name });
    }
    await once();
  };
  const wrappers = observers.filter(({ around }) => around).toReversed();
  // Only one trace can continue in the other process.
  const passer = observers.find(({ passing }) => passing);
  const around = (work: Work, run: () => Promise<void>): Promise<void> =>
    work.kind === 'storage' ? run() : wrappers.reduce(guarded(work), run)();
  const ended = (work: Work): void => each('ended', (observer) => observer.ended?.(work));

  async function watch<Result>(work: Work, run: () => Promise<Result>): Promise<Result> {
    let running: Promise<Result> | undefined;
    await around(work, async () => {
      let end: Pick<Work, 'result' | 'error'> = { result: 'ok' };
      try {
        await (running = run());
      } catch (error) {
        end = { result: isVirguleError(error) ? error.code : 'failed', error };
      }
      ended(Object.assign(work, end, { ms: clock.monotonic() - work.startMs }));
    });
    // `around` has started it.
    return running ?? run();
  }

  /** Returns a function that observes work which starts now. */
  const watcher =
    (kind: Work['kind']) =>
    <Result>(name: string, run: () => Promise<Result>): Promise<Result> =>
      watch({ kind, name, startMs: clock.monotonic() }, run);

  return {
    passing: passer && ((work: Work) => attempt('passing', () => passer.passing?.(work))),
    connecting(parts: ConnectingParts) {
      each('connecting', (observer) => observer.connecting?.(parts));
      parts.rest.observe(watcher('rest'));
    },
    status: (status: GatewayStatus) => each('status', (observer) => observer.status?.(status)),
    /** Runs a command, which never rejects and reports its end by `ended`. */
    around,
    ended,
    /** Runs other work, and reports its end. */
    watch,
    /** Runs a use of the storage, and reports its end; `undefined` if no observer receives ends. */
    storage: observers.some((observer) => observer.ended) ? watcher('storage') : undefined,
  };
}
