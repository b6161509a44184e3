import { errorText, readableError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import type { EventContext } from '../context/event-context.js';
import { isStop } from '../errors/error-guards.js';
import type { EventListener } from '../load/project.js';
import type { BotEnvironment } from './bot-environment.js';
import { isFirst } from './is-first.js';

/** Starts one handler of an event. Returns a promise, which never rejects, only if there is something to wait for. */
export function startHandler(
  env: BotEnvironment,
  listener: EventListener,
  context: EventContext<unknown>,
): Promise<unknown> | undefined {
  try {
    const returned = listener.run(context);
    const noteUnsent = (value: unknown): void => {
      if (env.development) warnOfUnsent(env, listener, value);
    };
    if (!isObject(returned) || !('then' in returned)) {
      noteUnsent(returned);
      return undefined;
    }
    return Promise.resolve(returned)
      .then(noteUnsent)
      .catch((error: unknown) => {
        if (!isStop(error, context.signal)) reportFailure(env, listener, error);
      });
  } catch (error) {
    reportFailure(env, listener, error);
    return undefined;
  }
}

/** Warns once of a handler that answers as a command does: nothing is sent, and a generator is not even run. */
function warnOfUnsent(
  { log }: BotEnvironment,
  { event, file }: EventListener,
  value: unknown,
): void {
  const isGenerator = isObject(value) && 'next' in value && Symbol.asyncIterator in value;
  if (!isGenerator && typeof value !== 'string') return;
  const what = isGenerator
    ? 'is a generator, which is not run'
    : 'returned a string, which is not sent';
  if (isFirst(log, `${file} ${what}`))
    log.warn({ event, file }, `${file} ${what}; send messages with reply()`);
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
