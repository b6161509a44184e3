import { AsyncLocalStorage } from 'node:async_hooks';
import type { Work } from '@virgule/runtime';
import type { BotEvent, GatewayPort } from '@virgule/runtime/bot';
import type { Clock } from '@virgule/core/clock';
import { isKept, type Log } from '@virgule/core/log';
import type { EndpointName, EventName } from '@virgule/core/protocol';
import { causeOf, type SimEvent } from '@virgule/core/simulator-api';

/** Request of the bot. */
export interface TestCall {
  /** Name of the endpoint, such as `messages.send`; `undefined` if the platform has no such endpoint. */
  readonly endpoint: EndpointName | undefined;
  readonly method: string;
  readonly path: string;
  /** JSON body; `undefined` without one. */
  readonly body: unknown;
  /** Status of the response; `undefined` if none arrived. */
  readonly status: number | undefined;
  /** Time from the event to the request, in milliseconds on the clock of the bot. */
  readonly atMs: number;
}

/** Command that code or a language model called. */
export interface TestCalled {
  readonly command: string;
  /** Options as its handler received them. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly caller: 'code' | 'model';
}

/** Warning or error in the log of the bot. */
export interface LoggedLine {
  readonly message: string;
  readonly error: unknown;
}

/** Effects of one event, or of one call. */
export class ActivityRecord {
  readonly startMs: number;
  readonly logged: LoggedLine[];
  /** Id of the event in requests, by which the trace of the simulator groups them. */
  readonly cause: string | undefined;
  readonly calls: TestCall[] = [];
  /** States of each message that the handlers wrote, by id. */
  readonly messages = new Map<string, string[]>();
  /** Commands that code or a model called. */
  readonly called: TestCalled[] = [];
  /** Ids of the commands that it called and that run, and `handler` for its own handler. */
  readonly running = new Set(['handler']);
  /** Commands that have ended. */
  readonly outcomes: Work[] = [];
  /** Time from the event to the first message, in milliseconds on the clock of the bot; `undefined` before. */
  wroteAtMs: number | undefined;
  hasEnded = false;
  /** Resolves when all handlers of the event have ended. */
  readonly ended: Promise<void>;
  #end = (): void => {};

  constructor(startMs: number, logged: LoggedLine[] = [], cause?: string) {
    this.startMs = startMs;
    this.logged = logged;
    this.cause = cause;
    this.ended = new Promise((resolve) => (this.#end = resolve));
  }

  end(): void {
    this.hasEnded = true;
    this.#end();
  }
}

/**
 * Records the effects of each event: requests, messages, log lines. Every continuation of a handler is attributed to
 * its event.
 */
export function createActivityRecords(clock: Clock) {
  const storage = new AsyncLocalStorage<ActivityRecord>();
  /** Functions that receive the record of the next event with a key. */
  const expected = new Map<(record: ActivityRecord) => void, string>();
  const byInteraction = new Map<string, ActivityRecord>();
  /** Log lines of the bot that belong to no event. */
  const logged: LoggedLine[] = [];
  let dispatch = (_event: BotEvent): void => {};

  /** Delivers an event to the bot, and returns the record of its effects. */
  function deliver(event: BotEvent): ActivityRecord {
    const { d } = event;
    const record = new ActivityRecord(clock.monotonic(), [], causeOf(d));
    const ended = (): void => record.end();
    const { interactionId, messageId, id } = Object(d);
    if (event.t === 'APPLICATION_COMMAND') byInteraction.set(String(interactionId), record);
    const key = keyOf(event.t, interactionId ?? messageId ?? id);
    const [found] = [...expected].find((each) => each[1] === key) ?? [];
    if (found) expected.delete(found);
    found?.(record);
    storage.run(record, () => {
      dispatch({ ...event, queued: { to: 'waits', isDeferred: false, ended: () => {} } });
      dispatch({ ...event, queued: { to: 'handlers', isDeferred: false, ended } });
    });
    return record;
  }

  return {
    logged,
    deliver,
    /** Returns the record of the running handler or task. */
    current: () => storage.getStore(),
    /** Calls a function with a new record of its effects. @param lines - receives the log lines of the call. */
    run<Result>(call: (record: ActivityRecord) => Promise<Result>, lines?: LoggedLine[]) {
      const record = new ActivityRecord(clock.monotonic(), lines);
      const calling = storage.run(record, () => call(record));
      return { record, result: calling.finally(() => record.end()) };
    },
    /** Ends the recording, which slows down every promise of the process. */
    close: () => storage.disable(),
    /** Binds a callback of a timer to the record in which the timer was set. */
    bind: (callback: () => void): (() => void) => AsyncLocalStorage.bind(callback),
    /** Returns the record to which a request belongs. */
    of(path: string): ActivityRecord | undefined {
      const [, id = ''] = /\/interactions\/([^/]+)\//.exec(path) ?? [];
      return byInteraction.get(id) ?? storage.getStore();
    },
    /** Returns a promise of the record of the next event of an interaction or a message, and a function that cancels the wait. */
    next(name: EventName, id: string): readonly [Promise<ActivityRecord>, () => void] {
      let found = (_record: ActivityRecord): void => {};
      const record = new Promise<ActivityRecord>((resolve) => (found = resolve));
      expected.set(found, keyOf(name, id));
      return [record, () => void expected.delete(found)];
    },
    /** Records a message that the bot wrote or edited. */
    observe(event: SimEvent, botUserId: string): void {
      if (event.type !== 'message' || event.message.authorId !== botUserId) return;
      const { id, content, interactionId, isDeleted } = event.message;
      const record = byInteraction.get(interactionId ?? '') ?? storage.getStore();
      if (!record || isDeleted) return;
      record.wroteAtMs ??= clock.monotonic() - record.startMs;
      const states = record.messages.get(id);
      if (!states) record.messages.set(id, [content]);
      else if (states.at(-1) !== content) states.push(content);
    },
    /** Returns a gateway whose events are recorded. */
    gateway(port: GatewayPort) {
      return {
        connect: (listener) => {
          dispatch = (event) => listener.dispatch(event);
          return port.connect({ ...listener, dispatch: (event) => void deliver(event) });
        },
        close: () => port.close(),
      } satisfies GatewayPort;
    },
    /** Returns a log that adds warnings and errors to the record of their event. */
    log(target: Log): Log {
      const noted = (level: 'warn' | 'error') => (details: object, message: string) => {
        (storage.getStore()?.logged ?? logged).push({ message, error: errorIn(details) });
        target[level](details, message);
      };
      return Object.assign<Log, Partial<Log>>(Object.create(target), {
        warn: noted('warn'),
        error: noted('error'),
        isLevelEnabled: (level) => level === 'warn' || level === 'error' || isKept(target, level),
      });
    },
  };
}

export type ActivityRecords = ReturnType<typeof createActivityRecords>;

/** Returns the error in the details of a log line. */
export const errorIn = (details: object): unknown =>
  Object.values(details).find((value) => value instanceof Error);

const keyOf = (name: string, id: unknown): string => `${name} ${String(id)}`;
