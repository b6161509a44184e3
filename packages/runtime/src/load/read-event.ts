import { type VirguleError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import type { EventOrder } from '../define/define-event.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locateDefaultExport } from '../options/locate-key.js';
import type { EventRoute } from '../scan/scan.js';
import type { ModuleExports } from './load-project.js';
import type { EventListener } from './project.js';
import { SettingReport } from './setting-report.js';

/** Reads an event handler from the exports of its file. Reports every problem; returns `null` if there was one. */
export function readEvent(
  { event, file }: EventRoute,
  exports: ModuleExports,
  report: (problem: VirguleError) => void,
  source?: string,
): EventListener | null {
  const settings = new SettingReport({ file, source }, report);
  const main = exports['default'];
  // A plain function as the default export is read as the handler of the event its file is named after.
  const definition = typeof main === 'function' ? { event, run: main } : main;
  if (!isDefinition(definition)) {
    settings.noHandler('a default export made by defineEvent, or a function');
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
  settings.unknownKeys(Object.keys(exports), ['default']);
  settings.unknownKeys(Object.keys(definition), DEFINITION_KEYS);
  for (const key of ['own', 'once'] as const) {
    const saw = definition[key];
    if (saw !== undefined && typeof saw !== 'boolean') settings.refuse(key, 'true or false', saw);
  }
  const { order = 'channel' } = definition;
  if (!isOrder(order))
    settings.refuse('order', "'channel', 'none' or a function that returns a key", order);
  if (!settings.isValid) return null;
  return {
    event,
    file,
    own: definition.own === true,
    once: definition.once === true,
    order: isOrder(order) ? order : 'channel',
    run: definition.run,
  };
}

const DEFINITION_KEYS = ['event', 'run', 'own', 'once', 'order'];

// The result of a function is read when it is called.
const isOrder = (value: unknown): value is EventOrder =>
  value === 'channel' || value === 'none' || typeof value === 'function';

interface RawEvent {
  readonly event: unknown;
  readonly own?: unknown;
  readonly once?: unknown;
  readonly order?: unknown;
  readonly run: EventListener['run'];
}

function isDefinition(value: unknown): value is RawEvent {
  return isObject(value) && 'event' in value && 'run' in value && typeof value.run === 'function';
}
