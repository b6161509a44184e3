import { errorText, readableError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import type { EventContext } from '../context/event-context.js';
import { isStop } from '../errors/error-guards.js';
import type { EventListener } from '../load/project.js';
import type { BotEnvironment } from './bot-environment.js';

/** Starts one handler of an event. Returns a promise, which never rejects, only if there is something to wait for. */
export function startHandler(
  env: BotEnvironment,
  listener: EventListener,
  context: EventContext<unknown>,
): Promise<unknown> | undefined {
  try {
    const returned = listener.run(context);
    if (!isObject(returned) || !('then' in returned)) return undefined;
    return Promise.resolve(returned).catch((error: unknown) => {
      if (!isStop(error, context.signal)) reportFailure(env, listener, error);
    });
  } catch (error) {
    reportFailure(env, listener, error);
    return undefined;
  }
}

/** Logs an error of a handler, and emits it as an event. */
export function reportFailure(
  { log, onError }: BotEnvironment,
  { event, file }: EventListener,
  thrown: unknown,
): void {
  const error = readableError(thrown);
  log.error({ event, file, err: error }, `${file} failed: ${errorText(error)}`);
  // An error handler that fails would receive its own error indefinitely.
  if (event !== 'error') onError(error, file);
}
