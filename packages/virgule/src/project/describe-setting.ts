import { isObject } from '@virgule/core/objects';

/**
 * Returns a setting of a command as a few words: `defer now`, `cooldown (within 10s, per channel)`,
 * `silent`.
 */
export function describeSetting(key: string, value: unknown): string {
  return value === true ? key : `${key} ${describeValue(value)}`;
}

function describeValue(value: unknown): string {
  if (typeof value === 'function') return 'computed';
  if (Array.isArray(value)) return value.map(describeValue).join('+');
  if (!isObject(value)) return String(value);
  return `(${Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .map(([key, inner]) => describeSetting(key, inner))
    .join(', ')})`;
}

/** Returns a setting as data: functions are named, and values that JSON cannot represent are omitted. */
export function settingAsJson(value: unknown): unknown {
  if (typeof value === 'function') return '[function]';
  if (Array.isArray(value)) return value.map(settingAsJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, settingAsJson(inner)]),
  );
}
