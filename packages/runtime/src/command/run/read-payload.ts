// Reads payloads. A message or a command in the usual form of the platform is recognized without its schema and without a copy:
// 0.05 instead of 1.2 microseconds of CPU time for a message, 0.04 instead of 0.33 for a command. The schema checks every other
// payload, and repairs it if possible.
import type { Log } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import {
  applicationCommandEventSchema,
  EVENTS,
  readLeniently,
  type ApplicationCommandEvent,
  type EventName,
} from '@virgule/core/protocol';

const DASH = 45;

/** Returns whether a value has the length and the first dash of an id. */
const isId = (value: unknown): boolean =>
  typeof value === 'string' && value.length === 36 && value.charCodeAt(8) === DASH;

/** Returns whether a value is an ISO 8601 time in UTC: `2026-01-01T00:00:00Z`, with or without a fraction. */
function isTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value.length >= 20 &&
    value.charCodeAt(10) === 84 &&
    value.charCodeAt(value.length - 1) === 90
  );
}

const isEmptyArray = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
const isNullOrObject = (value: unknown): boolean => value === null || isRecord(value);

/** Returns whether a payload is a message without files and reactions. The schema reads all other messages. */
export function isPlainMessage(d: unknown): boolean {
  return (
    isRecord(d) &&
    isId(d['id']) &&
    isId(d['channelId']) &&
    isId(d['authorId']) &&
    (d['serverId'] === undefined || isId(d['serverId'])) &&
    typeof d['authorUsername'] === 'string' &&
    typeof d['authorDisplayName'] === 'string' &&
    (d['authorAvatarUrl'] === null || typeof d['authorAvatarUrl'] === 'string') &&
    typeof d['content'] === 'string' &&
    typeof d['isDeleted'] === 'boolean' &&
    isTime(d['createdAt']) &&
    (d['editedAt'] === null || isTime(d['editedAt'])) &&
    (d['pinnedAt'] === null || isTime(d['pinnedAt'])) &&
    (d['pinnedByUserId'] === null || isId(d['pinnedByUserId'])) &&
    isNullOrObject(d['replyTo']) &&
    isNullOrObject(d['linkPreview']) &&
    isNullOrObject(d['poll']) &&
    isNullOrObject(d['forwardedFrom']) &&
    isEmptyArray(d['attachments']) &&
    isEmptyArray(d['reactions'])
  );
}

/** Returns whether a command event has all fields that an answer needs. */
function isAnswerable(d: unknown): d is Readonly<Record<string, unknown>> {
  return (
    isRecord(d) &&
    isId(d['interactionId']) &&
    isId(d['channelId']) &&
    typeof d['name'] === 'string' &&
    typeof d['rawInput'] === 'string'
  );
}

/** Returns whether a command event has all fields that the Bot Interface states. */
export const isPlainCommand = (d: unknown): d is ApplicationCommandEvent =>
  isAnswerable(d) && isId(d['serverId']);

/** Reads the payload of an event, with unknown fields. Returns `undefined` if a required field is missing. */
export function readPayload(event: string, data: unknown): unknown {
  if ((event === 'MESSAGE_CREATE' || event === 'MESSAGE_UPDATE') && isPlainMessage(data))
    return data;
  if (!Object.hasOwn(EVENTS, event)) return data;
  // `Object.hasOwn` has shown that the name is a key.
  const reading = readLeniently(EVENTS[event as EventName].payload, data);
  return reading.success ? reading.data : undefined;
}

/**
 * Reads the payload of APPLICATION_COMMAND. `serverId` is empty if the payload has no server, as a platform may send it from a
 * private conversation. Logs a payload that cannot be answered, and returns `undefined`.
 */
export function readCommandEvent(d: unknown, log: Log): ApplicationCommandEvent | undefined {
  if (isPlainCommand(d)) return d;
  if (isAnswerable(d)) {
    const serverId = typeof d['serverId'] === 'string' ? d['serverId'] : '';
    // `isAnswerable` has checked the types of all other fields.
    return { ...d, serverId } as unknown as ApplicationCommandEvent;
  }
  const { error } = applicationCommandEventSchema.safeParse(d);
  const message = 'dropped a command: its payload lacks fields that an answer needs';
  log.warn({ issues: error?.issues }, message);
  return undefined;
}
