import { errorText, readableError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';

/** The arguments of a log of the runtime: details and one line. */
export type LogLine = readonly [details: object, message: string];

/**
 * Reads the arguments of a log call. JavaScript may pass anything, against the types, and in any order:
 * neither the message nor an error is lost.
 */
export function readLogLine(first: unknown, second: unknown): LogLine {
  if (typeof first === 'string' && typeof second !== 'string' && second !== undefined)
    return readLogLine(second, first);
  if (typeof second !== 'string' && second !== undefined) {
    const [details, message] = readLogLine(first, undefined);
    return [{ ...details, value: second }, message];
  }
  if (typeof first === 'string') return [{}, second === undefined ? first : `${first} ${second}`];
  if (first === undefined || first === null) return [{}, second ?? String(first)];
  const readable = readableError(first);
  if (readable instanceof Error) return [{ err: readable }, second ?? errorText(readable)];
  if (isRecord(readable)) return [readable, second ?? ''];
  return [{ value: readable }, second ?? errorText(readable)];
}
