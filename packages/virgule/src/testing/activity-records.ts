import { AsyncLocalStorage } from 'node:async_hooks';
import type { BotEvent, GatewayPort } from '@virgule/runtime/project';
import type { Clock } from '@virgule/core/clock';
import { isKept, type Log } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import type { EndpointName } from '@virgule/core/protocol';
import { causeOf, type SimEvent } from '@virgule/core/simulator-api';

/** A request that the bot sent. */
export interface TestCall {
  /** Name of the endpoint, such as `messages.send`; `undefined` if the platform has none like this. */
  readonly endpoint: EndpointName | undefined;
  readonly method: string;
  readonly path: string;
  /** The JSON body; `undefined` without one. */
  readonly body: unknown;
  /** Status of the response; `undefined` if none arrived. */
  readonly status: number | undefined;
  /** From the event to the request, in milliseconds on the clock of the bot. */
  readonly atMs: number;
}

/** A warning or an error in the log of the bot. */
export interface LoggedLine {
  readonly message: string;
  readonly error: unknown;
}

/** What one event caused. */
export interface ActivityRecord {
  readonly startMs: number;
  /** Names the event in requests, so that the trace of the simulator shows them together. */
  readonly cause: string | undefined;
  readonly calls: TestCall[];
  /** The states of each message that it wrote, by id. */
  readonly messages: Map<string, string[]>;
  readonly logged: LoggedLine[];
  /** When it wrote its first message, on the clock of the bot; `undefined` before. */
  wroteAtMs: number | undefined;
  hasEnded: boolean;
  /** Resolves when everything that the event started has ended. */
  readonly ended: Promise<void>;
}

/** Records what each event causes: requests, messages, log lines. Every continuation of its handlers belongs to it. */
export function createActivityRecords(clock: Clock) {
  const storage = new AsyncLocalStorage<ActivityRecord>();
  /** What resolves with the record of the next event, by what the event has to match. */
  const expected = new Map<(event: BotEvent) => boolean, (record: ActivityRecord) => void>();
  const byInteraction = new Map<string, ActivityRecord>();
  /** Lines of the bot that belong to no event. */
  const logged: LoggedLine[] = [];

  function begin(lines: LoggedLine[] = [], cause?: string) {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const record: ActivityRecord = {
      startMs: clock.monotonic(),
      cause,
      calls: [],
      messages: new Map(),
      logged: lines,
      wroteAtMs: undefined,
      hasEnded: false,
      ended,
    };
    return {
      record,
      end: () => {
        record.hasEnded = true;
        end();
      },
    };
  }

  /** Delivers an event to the bot as the record of what it causes. */
  function deliver(event: BotEvent, dispatch: (event: BotEvent) => void): ActivityRecord {
    const { d } = event;
    const { record, end } = begin([], causeOf(d));
    if (event.t === 'APPLICATION_COMMAND' && isRecord(d))
      byInteraction.set(String(d['interactionId']), record);
    for (const [matches, resolve] of expected) {
      if (!matches(event)) continue;
      expected.delete(matches);
      resolve(record);
      break;
    }
    storage.run(record, () => {
      dispatch({ ...event, queued: { to: 'waits', isDeferred: false, ended: () => {} } });
      dispatch({ ...event, queued: { to: 'handlers', isDeferred: false, ended: end } });
    });
    return record;
  }

  return {
    logged,
    deliver,
    /** Returns the record of what runs now. */
    current: () => storage.getStore(),
    /** Calls a run of a task, whose lines belong to no action, as the record of what it causes. */
    async task<Result>(run: (record: ActivityRecord) => Promise<Result>): Promise<Result> {
      const { record, end } = begin(logged);
      return storage.run(record, () => run(record)).finally(end);
    },
    /** Ends the recording. Without it, each later promise of the process takes longer. */
    close: () => storage.disable(),
    /** Runs a callback of a timer as a part of what set the timer. */
    bind: (callback: () => void): (() => void) => AsyncLocalStorage.bind(callback),
    /** Returns the record that a request belongs to. */
    of(path: string): ActivityRecord | undefined {
      const [, id = ''] = /\/interactions\/([^/]+)\//.exec(path) ?? [];
      return byInteraction.get(id) ?? storage.getStore();
    },
    /** Resolves with the record of the next event that matches. Call the second member to give up. */
    next(matches: (event: BotEvent) => boolean): readonly [Promise<ActivityRecord>, () => void] {
      const found = new Promise<ActivityRecord>((resolve) => void expected.set(matches, resolve));
      return [found, () => void expected.delete(matches)];
    },
    /** Notes a message that the bot wrote or edited. */
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
    gateway(port: GatewayPort, onConnect: (dispatch: (event: BotEvent) => void) => void) {
      return {
        connect: (listener) => {
          const dispatch = (event: BotEvent): void => listener.dispatch(event);
          onConnect(dispatch);
          return port.connect({
            ...listener,
            dispatch: (event) => void deliver(event, dispatch),
          });
        },
        close: () => port.close(),
      } satisfies GatewayPort;
    },
    /** Returns a log that keeps warnings and errors with what caused them. */
    log(target: Log): Log {
      const noted = (level: 'warn' | 'error') => (details: object, message: string) => {
        const error: unknown = Object.values(details).find((value) => value instanceof Error);
        (storage.getStore()?.logged ?? logged).push({ message, error });
        target[level](details, message);
      };
      return {
        debug: (details, message) => target.debug(details, message),
        info: (details, message) => target.info(details, message),
        warn: noted('warn'),
        error: noted('error'),
        isLevelEnabled: (level) => level === 'warn' || level === 'error' || isKept(target, level),
        hide: (texts) => target.hide?.(texts),
      };
    },
  };
}

export type ActivityRecords = ReturnType<typeof createActivityRecords>;
