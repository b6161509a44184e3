import { isObject } from '@virgule/core/objects';
import { EVENTS, readLeniently, type EventName } from '@virgule/core/protocol';
import { isPlainPayload } from './plain-payload.js';

/**
 * Reads a payload, only if there is a handler for it. Unknown fields stay; `undefined` means that a
 * required one is missing.
 */
export function readPayload(event: string, data: unknown): unknown {
  if (!Object.hasOwn(EVENTS, event)) return data;
  // One of the keys, as was just seen.
  const name = event as EventName;
  if (isPlainPayload(name, data)) return data;
  const reading = readLeniently(EVENTS[name].payload, data);
  return reading.success ? reading.data : undefined;
}

/** Returns the fields that show whether the bot caused an event itself, and where it happened. */
export function fieldsOf(
  data: unknown,
): { readonly authorId?: unknown; readonly userId?: unknown; readonly channelId?: unknown } | null {
  return isObject(data) ? data : null;
}
