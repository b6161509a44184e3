import { orUndefined } from '@virgule/core/objects';

/** Number of digits in a due time, enough for every time of a `Date`. */
const TIME_DIGITS = 16;

/** Channel and message of a question. */
export interface AskPlace {
  readonly channelId: string;
  readonly messageId: string;
}

// Names are encoded, because a file name may contain ":", which separates the parts of a key. A key of a repeat may be half an emoji.
export const nameInKey = (name: string): string =>
  encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
/** Returns the name from a part of a key. A key that was written by hand may not be encoded. */
export const nameOf = (part: string): string => orUndefined(() => decodeURIComponent(part)) ?? part;

/** Returns the id of a run. `call` is unique for a called run, `@<key>` for the run of a repeat, `?<place>` for that of a question. */
export const idOf = (task: string, dueMs: number, call: string): string =>
  `${nameInKey(task)}:${String(dueMs).padStart(TIME_DIGITS, '0')}:${call}`;

/** Reads the id of a run. */
export function readId(id: string) {
  const [task = '', due, call = ''] = id.split(':');
  const [first = '', messageId = ''] = call.slice(1).split(',').map(nameOf);
  return {
    task: nameOf(task),
    /** Time at which the run is due, in milliseconds since the epoch. */
    dueMs: Number(due) || 0,
    /** Key of the repeat to which the run belongs; `undefined` for other runs. */
    repeat: call.startsWith('@') ? first : undefined,
    /** Question to which the run belongs; `undefined` for other runs. */
    place: call.startsWith('?') ? ({ channelId: first, messageId } satisfies AskPlace) : undefined,
  };
}

/** Returns the JSON value of an entry; the entry itself if it is no JSON. */
export const jsonOf = (text: string): unknown =>
  orUndefined((): unknown => JSON.parse(text)) ?? text;
