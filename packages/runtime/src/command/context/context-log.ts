import { errorText, readableError } from '@virgule/core/errors';
import { isKept, type Log, type LogLevel } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { isRecord, orUndefined } from '@virgule/core/objects';

/**
 * Writes one line. Details are plain data; an error in the details is written with its message, stack and cause. The message
 * can be the first argument, as for `console`, or the last.
 */
export interface WriteLogLine {
  (message: string, details?: unknown): void;
  (details: object, message?: string): void;
  (error: unknown, message?: string): void;
}

/** The log of commands, events and services. Every member can be destructured. */
export interface ContextLog {
  readonly debug: WriteLogLine;
  readonly info: WriteLogLine;
  readonly warn: WriteLogLine;
  readonly error: WriteLogLine;
  /** Returns whether lines of a level are kept. If not, the details of a line need not be computed. */
  readonly isLevelEnabled: (level: LogLevel) => boolean;
}

type Subject = ApplicationCommandEvent | { readonly task: string; readonly run: string };

/** Creates the log of a handler. With a subject, every line names the interaction, or the task and its run. */
export function createContextLog(log: Log, about?: Subject): ContextLog {
  const line = (level: LogLevel) => (first: unknown, second?: unknown) => {
    const [details, message] = readLogLine(first, second);
    // A property may throw, such as of a proxy.
    const parts = orUndefined(() => ({ ...details })) ?? { unreadable: true };
    log[level]({ ...namesOf(about), ...parts }, message);
  };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    isLevelEnabled: (level) => isKept(log, level),
  };
}

function namesOf(about: Subject | undefined): object | undefined {
  if (!about || 'task' in about) return about;
  const { name: command, interactionId } = about;
  return { command, interactionId };
}

/** Reads the arguments of a log call, which JavaScript may pass in any order: neither the message nor an error is lost. */
function readLogLine(first: unknown, second: unknown): [details: object, message: string] {
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
