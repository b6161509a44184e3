import { systemClock } from '@virgule/core/clock';
import { createRedactor, type Log, type LogLevel, type Redactor } from '@virgule/core/log';
import { isObject } from '@virgule/core/objects';
import { LOG_LEVELS, type LogLevelName } from '../define/define-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createBufferedOutput, writeWhole } from './buffered-output.js';
import { composeLine, type Line } from './compose-line.js';
import { redactLine } from './redact-line.js';

export interface LogOptions {
  /** One of `LOG_LEVELS`. @defaultValue `'info'` */
  readonly level?: string | undefined;
  /** Where the lines go. @defaultValue standard output */
  readonly destination?: { write(line: string): void } | undefined;
  /** Prefix of each line. @defaultValue none */
  readonly prefix?: string | undefined;
  /**
   * Whether lines on standard output are collected, up to 32 KiB or for 100 ms: a system call for each costs
   * several times what the line does. The rest is written when the process ends, unless it is killed.
   * @defaultValue `false`
   */
  readonly buffered?: boolean | undefined;
  /** Removes secrets from every line; `hide` adds to them. @defaultValue one without secrets */
  readonly redact?: Redactor | undefined;
}

const STDOUT = 1;

/** The numbers of the levels in a line: those of pino, which viewers of logs know. */
const NUMBERS: Readonly<Record<LogLevelName, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Number.POSITIVE_INFINITY,
};

/**
 * Creates a log that writes one JSON object per line, without the secrets of `redact` and without the values
 * of keys such as `token`.
 *
 * @throws VirguleError `E_LOG_LEVEL` if the level is unknown.
 */
export function createLog(options: LogOptions = {}): Log {
  const { level = 'info', destination, prefix = '', buffered = false } = options;
  const { redact = createRedactor() } = options;
  const known = LOG_LEVELS.find((name) => name === level);
  if (!known) throw runtimeErrors.E_LOG_LEVEL({ saw: level, known: LOG_LEVELS });
  const toText = (line: Line): string => prefix + redactLine(composeLine(line), redact);
  const write = writerTo(destination ?? (buffered ? 'buffer' : 'stdout'), toText);
  const isLevelEnabled = (name: LogLevel): boolean => NUMBERS[name] >= NUMBERS[known];
  const writer = (name: LogLevel): Log[LogLevel] =>
    isLevelEnabled(name)
      ? (details, message) =>
          write({ level: NUMBERS[name], time: systemClock.now(), details, message })
      : () => {};
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    isLevelEnabled,
    hide: (texts) => redact.hide(texts),
  };
}

/** Returns a function that writes lines. */
function writerTo(
  target: NonNullable<LogOptions['destination']> | 'buffer' | 'stdout',
  toText: (line: Line) => string,
): (line: Line) => void {
  // A process that is killed loses no line.
  if (target === 'stdout') return (line) => writeWhole(STDOUT, Buffer.from(toText(line)));
  if (target !== 'buffer') return (line) => target.write(toText(line));
  const output = createBufferedOutput(STDOUT);
  // An object in the details may have changed by the time that the line is written.
  return (line) => output.write(isFlat(line.details) ? () => toText(line) : toText(line));
}

/** Returns whether details hold no objects. */
const isFlat = (details: object): boolean => !Object.values(details).some(isObject);
