import { errorText, readableError } from '@virgule/core/errors';
import { isKept, type Log, type LogLevel } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { isRecord } from '@virgule/core/objects';

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

/**
 * The log of a handler. With a subject, every line names the interaction, or the task and its run. The functions are created
 * when they are read: most commands write no line, and a command that waits would keep the functions in memory.
 */
export class BoundLog implements ContextLog {
  readonly #log: Log;
  readonly #about: Subject | undefined;

  constructor(log: Log, about?: Subject) {
    this.#log = log;
    this.#about = about;
  }

  get debug(): WriteLogLine {
    return this.#line('debug');
  }
  get info(): WriteLogLine {
    return this.#line('info');
  }
  get warn(): WriteLogLine {
    return this.#line('warn');
  }
  get error(): WriteLogLine {
    return this.#line('error');
  }
  get isLevelEnabled(): ContextLog['isLevelEnabled'] {
    return (level) => isKept(this.#log, level);
  }

  #line(level: LogLevel): WriteLogLine {
    return (first: unknown, second?: unknown) => {
      const [details, message] = readLogLine(first, second);
      this.#log[level](this.#named(details), message);
    };
  }

  #named(details: object): object {
    const readable = readableParts(details);
    const about = this.#about;
    if (!about) return readable;
    if ('task' in about) return { ...about, ...readable };
    const { name: command, interactionId } = about;
    return { command, interactionId, ...readable };
  }
}

/** Returns a copy of the details, or the reason if a property of them throws, such as of a proxy. */
function readableParts(details: object): object {
  try {
    return { ...details };
  } catch (error) {
    return { unreadable: errorText(error) };
  }
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
