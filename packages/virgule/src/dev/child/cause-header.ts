import { AsyncLocalStorage } from 'node:async_hooks';
import diagnosticsChannel from 'node:diagnostics_channel';
import type { Log } from '@virgule/core/log';
import { causeOf, SIM_CAUSE_HEADER } from '@virgule/core/simulator-api';

/** Part of an undici request that the channel `undici:request:create` publishes. */
interface CreatedRequest {
  readonly origin: unknown;
  addHeader(name: string, value: string): void;
}

/** Ids of the handled events. */
const causes = new AsyncLocalStorage<string>();

/** Returns a log whose lines have the id of the handled event as `causeId`, also those of commands that its handler calls. */
export function logCauses(log: Log): Log {
  const named: Log = Object.create(log);
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    named[level] = (details, message) =>
      log[level]({ ...details, causeId: causes.getStore() }, message);
  return named;
}

/** Adds the id of the handled event to each request to `origin`, a simulator, whose trace groups them. */
export function nameCauses(origin: string) {
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: CreatedRequest };
    const cause = causes.getStore();
    if (cause !== undefined && request.origin === origin)
      request.addHeader(SIM_CAUSE_HEADER, cause);
  };
  diagnosticsChannel.subscribe('undici:request:create', onRequest);
  return {
    /** Handles an event. Requests of its handlers carry the event's id, also after an asynchronous wait. */
    around<Result>(payload: unknown, handle: () => Result): Result {
      const cause = causeOf(payload);
      return cause === undefined ? handle() : causes.run(cause, handle);
    },
    close(): void {
      diagnosticsChannel.unsubscribe('undici:request:create', onRequest);
      causes.disable();
    },
  };
}
