import { type VirguleError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { didYouMean } from '@virgule/core/text';
import type { EventOrder } from '../define/define-event.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { locateDefaultExport, locateName } from '../options/locate-key.js';
import type { EventRoute } from '../scan/scan.js';
import type { ModuleExports } from './load-project.js';
import type { EventListener } from './project.js';

/** Reads an event handler from the exports of its file. Reports every problem; returns `null` if there was one. */
export function readEvent(
  { event, file }: EventRoute,
  exports: ModuleExports,
  report: (problem: VirguleError) => void,
  source?: string,
): EventListener | null {
  const main = exports['default'];
  // A plain function as the default export is read as the handler of the event its file is named after.
  const definition = typeof main === 'function' ? { event, run: main } : main;
  if (!isDefinition(definition)) {
    report(
      runtimeErrors.E_NO_HANDLER(
        { file, want: 'a default export made by defineEvent, or a function' },
        { location: locateDefaultExport({ file, source }) },
      ),
    );
    return null;
  }
  if (definition.event !== event) {
    report(
      runtimeErrors.E_EVENT_MISMATCH(
        { file, fromFile: event, fromCode: String(definition.event) },
        { location: locateDefaultExport({ file, source }) },
      ),
    );
    return null;
  }
  let isValid = true;
  const refuse = (problem: VirguleError): void => {
    isValid = false;
    report(problem);
  };
  const checkKeys = (keys: readonly string[], known: readonly string[]): void => {
    for (const key of keys.filter((name) => !known.includes(name))) {
      const details = { file, key, meant: didYouMean(key, known), known };
      refuse(runtimeErrors.E_UNKNOWN_KEY(details, { location: locateName({ file, source }, key) }));
    }
  };
  checkKeys(Object.keys(exports), ['default']);
  checkKeys(Object.keys(definition), DEFINITION_KEYS);
  for (const key of ['own', 'once'] as const) {
    const saw = definition[key];
    if (saw === undefined || typeof saw === 'boolean') continue;
    refuse(
      runtimeErrors.E_SETTING(
        { file, key, want: 'true or false', saw },
        { location: locateName({ file, source }, key) },
      ),
    );
  }
  const { order = 'channel' } = definition;
  if (!isOrder(order)) {
    refuse(
      runtimeErrors.E_SETTING(
        {
          file,
          key: 'order',
          want: "'channel', 'none' or a function that returns a key",
          saw: order,
        },
        { location: locateName({ file, source }, 'order') },
      ),
    );
  }
  if (!isValid) return null;
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
