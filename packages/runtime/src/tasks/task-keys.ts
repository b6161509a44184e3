/** Number of digits in a due time, enough for every time of a `Date`. */
const TIME_DIGITS = 16;

/** Channel and message of a question. */
export interface AskPlace {
  readonly channelId: string;
  readonly messageId: string;
}

// Names are encoded, because a file name may contain ":", which separates the parts of a key.
export const nameInKey = (task: string): string => encodeURIComponent(task);
export const timeInKey = (ms: number): string => String(ms).padStart(TIME_DIGITS, '0');
/** Returns the name from a part of a key. A key that was written by hand may not be encoded. */
export function nameOf(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Returns the task of a run with this id. */
export const taskOf = (id: string): string => nameOf(id.split(':')[0] ?? '');

/** Returns the time at which a run with this id is due, in milliseconds since the epoch. */
export const dueOf = (id: string): number => Number(id.split(':')[1]) || 0;

/** Returns the key of the repeat whose run has this id; `undefined` for a called run. */
export function repeatOf(id: string): string | undefined {
  const call = id.split(':')[2];
  return call?.startsWith('@') ? nameOf(call.slice(1)) : undefined;
}

/** Returns the place of the question to which a run belongs; `undefined` for other runs. */
export function placeOf(runId: string): AskPlace | undefined {
  const call = runId.split(':')[2];
  if (!call?.startsWith('?')) return undefined;
  const [channelId = '', messageId = ''] = call.slice(1).split(',').map(nameOf);
  return { channelId, messageId };
}

/** Returns the JSON value of an entry; the entry itself if it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
