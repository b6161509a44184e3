import { isRecord } from '@virgule/core/objects';
import { EVENTS, type EventName, type Intent } from '@virgule/core/protocol';
import { WatchedPromise } from '../command/context/watched-promise.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { EventMiddleware } from '../events/define-event-middleware.js';
import { locateDefaultExport } from '../options/locate-key.js';
import type { EventRoute } from '../scan/event-routes.js';
import { isClass, type RouteInput } from './setting-report.js';
import type { EventListener } from '../events/event-listener.js';
import { DEFAULT_TIMEOUT_MS, eventSettings } from './settings-schema.js';

/** Reads an event handler from the exports of its file. Reports every problem; returns `null` after a problem. */
export function readEvent(input: RouteInput<EventRoute>): EventListener | null {
  const { exports, report: settings, middleware, errorHandlers } = input;
  const { event, file } = input.route;
  const main = exports['default'];
  // A function as the default export is the handler of the event in the name of the file.
  const given = typeof main === 'function' && !isClass(main) ? { event, run: main } : main;
  const hasEvent = isRecord(given) && 'event' in given;
  const definition = settings.definition(hasEvent ? given : null, exports, DEFINITION_KEYS, [
    'a default export made by defineEvent, or a function',
    `defineEvent('${event}', (ctx) => { … })`,
  ]);
  if (!definition) return null;
  if (definition.event !== event) {
    const fromCode = String(definition.event);
    const details = { file, fromFile: event, fromCode };
    const location = locateDefaultExport(settings.where);
    settings.add(runtimeErrors.E_EVENT_NAME(details, { location }));
    return null;
  }
  const read = settings.read(eventSettings, definition);
  if (!read) return null;
  const { timeout, burst: burstMs, overlap = 'queue', ...options } = read;
  const isReady = event === 'ready';
  // Without an order, no event waits for another. A `ready` always replaces the run of the previous one.
  for (const key of isReady || options.order === 'none' ? (['overlap', 'burst'] as const) : []) {
    const [why, advice] = isReady ? ['for ready', ''] : ["with order: 'none'", " or order: 'none'"];
    if (definition[key] !== undefined)
      settings.refuse(key, `omitted ${why}`, definition[key], `Remove ${key}${advice}.`);
  }
  if (!settings.isValid) return null;
  return {
    ...options,
    overlap: overlap !== 'queue' ? overlap : burstMs > 0 ? 'latest' : undefined,
    burstMs,
    event,
    file,
    // A handler of `ready` may be a loop.
    timeoutMs: timeout ?? (isReady ? Infinity : DEFAULT_TIMEOUT_MS),
    hasTimeout: timeout !== undefined,
    intents: [...read.intents, ...input.intents, ...ownIntent(event)],
    errorHandlers,
    run: wrapEvent(definition.run, middleware),
  };
}

const DEFINITION_KEYS = ['event', 'run', ...Object.keys(eventSettings.shape)];

/** Returns the intent of an event; an empty array for events of the framework. */
const ownIntent = (event: string): readonly Intent[] =>
  Object.hasOwn(EVENTS, event) ? [EVENTS[event as EventName].intent] : [];

type Run = EventListener['run'];

/** Wraps a handler in the middleware of its folders, which is in order from the outermost to the innermost. */
export const wrapEvent = (run: Run, middleware: readonly EventMiddleware[]): Run =>
  middleware.reduceRight(wrapOne, run);

function wrapOne(run: Run, middleware: EventMiddleware): Run {
  const wrapped: Run = async (context) => {
    let inside: WatchedPromise<void> | undefined;
    const call = async (): Promise<void> => void (await run(context));
    const next = (): Promise<void> => (inside ??= WatchedPromise.watch(call(), () => {}));
    await middleware(context, next);
    // A forgotten `await next()` must not lose an error. A middleware that awaited `next()` has handled its error.
    if (inside && !inside.isAwaited) await inside;
  };
  // The record of a failure keeps the words of the code.
  return Object.assign(wrapped, { toString: () => String(run) + String(middleware) });
}
