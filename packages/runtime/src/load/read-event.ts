import type { VirguleError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { EVENTS, type EventName, type Intent } from '@virgule/core/protocol';
import type { EventOrder } from '../define/define-event.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locateDefaultExport } from '../options/locate-key.js';
import type { EventRoute } from '../scan/event-routes.js';
import type { ModuleExports } from './import-file.js';
import { isClass } from './is-class.js';
import type { EventListener } from './project.js';
import { readIntents } from './read-intents.js';
import { SettingReport } from './setting-report.js';
import { wrapEvent, type WrapEventOptions } from './wrap-event.js';

export interface ReadEventInput extends Pick<WrapEventOptions, 'middleware' | 'errorHandlers'> {
  readonly route: EventRoute;
  readonly exports: ModuleExports;
  readonly source: string | undefined;
  /** Intents that every handler may wait for, in addition to those it declares. */
  readonly intents: readonly Intent[];
  readonly report: (problem: VirguleError) => void;
}

/** Reads an event handler from the exports of its file. Reports every problem; returns `null` if there was one. */
export function readEvent(input: ReadEventInput): EventListener | null {
  const { exports, source, middleware, errorHandlers } = input;
  const { event, file } = input.route;
  const settings = new SettingReport({ file, source }, input.report);
  const main = exports['default'];
  // A plain function as the default export is read as the handler of the event its file is named after.
  const definition = typeof main === 'function' && !isClass(main) ? { event, run: main } : main;
  if (!isDefinition(definition)) {
    const form = `defineEvent('${event}', (ctx) => { … })`;
    settings.noHandler(main, 'a default export made by defineEvent, or a function', form);
    return null;
  }
  if (definition.event !== event) {
    settings.add(
      runtimeErrors.E_EVENT_MISMATCH(
        { file, fromFile: event, fromCode: String(definition.event) },
        { location: locateDefaultExport({ file, source }) },
      ),
    );
    return null;
  }
  settings.unknownExports(exports, ['default']);
  settings.unknownKeys(Object.keys(definition), DEFINITION_KEYS);
  for (const key of ['own', 'once'] as const) {
    const saw = definition[key];
    if (saw !== undefined && typeof saw !== 'boolean') settings.refuse(key, 'true or false', saw);
  }
  const { order = 'channel' } = definition;
  if (!isOrder(order))
    settings.refuse('order', "'channel', 'none' or a function that returns a key", order);
  const intents = readIntents(definition.intents, settings);
  if (!settings.isValid) return null;
  return {
    event,
    file,
    own: definition.own === true,
    once: definition.once === true,
    order: isOrder(order) ? order : 'channel',
    intents: [...intents, ...input.intents, ...ownIntent(event)],
    run: wrapEvent(definition.run, { file, middleware, errorHandlers }),
  };
}

const DEFINITION_KEYS = ['event', 'run', 'own', 'once', 'order', 'intents'];

/** The intent that the event itself needs; none for those of the framework. */
const ownIntent = (event: string): readonly Intent[] =>
  Object.hasOwn(EVENTS, event) ? [EVENTS[event as EventName].intent] : [];

// The result of a function is read when it is called.
const isOrder = (value: unknown): value is EventOrder =>
  value === 'channel' || value === 'none' || typeof value === 'function';

interface RawEvent {
  readonly event: unknown;
  readonly own?: unknown;
  readonly once?: unknown;
  readonly order?: unknown;
  readonly intents?: unknown;
  readonly run: EventListener['run'];
}

function isDefinition(value: unknown): value is RawEvent {
  return isObject(value) && 'event' in value && 'run' in value && typeof value.run === 'function';
}
