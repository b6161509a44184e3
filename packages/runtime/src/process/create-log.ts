import { pino, type DestinationStream, type LoggerOptions } from 'pino';
import { errorCode } from '@virgule/core/errors';
import { createRedactor, type Log, type Redactor } from '@virgule/core/log';
import { isPlainObject } from '@virgule/core/objects';
import { describeErrors } from './describe-errors.js';
import { checkLevel } from './line-log.js';
import { redactLine, redactLines } from './redact-line.js';

export interface LogOptions {
  /** Lowest level that is written: one of `LOG_LEVELS`. @defaultValue `'info'` */
  readonly level?: string | undefined;
  /** Destination of the lines. @defaultValue standard output */
  readonly destination?: DestinationStream | undefined;
  /** Prefix of each line that is not `buffered`. @defaultValue none */
  readonly prefix?: string | undefined;
  /**
   * `true` to collect lines on standard output, up to 64 KiB or for 100 ms: the redaction and the system call of each line cost as
   * much as the line. The rest is written when the process ends, unless the process is killed.
   * @defaultValue `false`
   */
  readonly buffered?: boolean | undefined;
  /** Redactor that removes secrets from every line; `hide` adds secrets. @defaultValue a redactor without secrets */
  readonly redact?: Redactor | undefined;
}

// Synchronous writes: by default, pino writes each line in a thread, and a killed process loses the line.
const AT_ONCE = { dest: 1, sync: true };

/**
 * Creates a log that writes one JSON object per line, without the secrets of `redact` and without the values
 * of keys such as `token`.
 *
 * @throws VirguleError `E_ENV_INVALID` if the level is unknown.
 */
export function createLog(options: LogOptions = {}): Log {
  const { level = 'info', destination, prefix = '', buffered, redact = createRedactor() } = options;
  checkLevel(level);
  const pinoOptions: LoggerOptions = {
    level,
    base: undefined,
    formatters: { log: describeErrors },
    // Those of pino would describe errors once more.
    serializers: { err: (described: unknown) => described },
    hooks: {
      logMethod(args, log, levelNumber) {
        const line = plainLine(levelNumber, args);
        if (line) write(line);
        else log.apply(this, args);
      },
    },
  };
  // The redaction of pino copies every line, and costs more than the rest of the line.
  const target = destination ?? pino.destination(AT_ONCE);
  const write = buffered
    ? bufferedOutput(redact)
    : (line: string | PlainLine) => target.write(prefix + redactLine(textOf(line), redact));
  const logger = pino(pinoOptions, { write });
  return Object.assign(logger, { hide: (texts: readonly string[]) => redact.hide(texts) });
}

/** Approximate maximum size of lines that wait, in characters. */
const BATCH_LENGTH = 64 * 1024;
/** Approximate size of a number in a line, and of a line without its parts, in characters. */
const NUMBER_LENGTH = 20;

/**
 * Returns a function that redacts and writes lines together. Lines that a full pipe or a full disk does not take wait, up to 8 MiB,
 * and are written later; the end of the process waits a second for a full pipe. After the reader has closed the pipe, lines are dropped.
 */
function bufferedOutput(redact: Redactor): (line: string | PlainLine) => void {
  let lastTries = 0;
  let batch: (string | PlainLine)[] = [];
  let length = 0;
  // Makes a pipe refuse writes while it is full, instead of blocking the process.
  void process.stdout;
  const target = pino.destination({
    ...AT_ONCE,
    // Without a minimum, `flush` does not repeat a failed write.
    minLength: 1,
    maxLength: 8 * 1024 * 1024,
    // For each string, the output would copy all strings that wait, to count their bytes.
    contentMode: 'buffer',
    // Blocks the process for 100 ms before another try, so only its end uses this.
    retryEAGAIN: () => (lastTries -= 1) >= 0,
  });
  let retry: NodeJS.Timeout | undefined;
  // Writes lines again that a full pipe has not taken: soon, since its reader may be fast again. After another error, such as of
  // a full disk, the next flush writes the lines again.
  target.on('error', (error: unknown) => {
    if (errorCode(error) !== 'EAGAIN') return;
    retry ??= setTimeout(() => {
      retry = undefined;
      target.flush();
    }, 10).unref();
  });
  function flush(): void {
    if (batch.length === 0) return target.flush();
    // In a row, lines take a third of the time that each line takes between other code.
    const lines = batch.map(textOf).join('');
    batch = [];
    length = 0;
    // The types of pino know only the mode of strings.
    target.write(Buffer.from(redactLines(lines, redact)) as never);
  }
  setInterval(flush, 100).unref();
  // The flush of pino at the end of a process repeats a failing write indefinitely.
  process.once('exit', () => {
    lastTries = 10;
    flush();
    // Writes lines that wait if the output had no room for the batch.
    target.flush();
  });
  return (line) => {
    batch.push(line);
    length += line.length;
    if (length >= BATCH_LENGTH) flush();
  };
}

/** Line whose details are strings and numbers, as those of a command. Its text is made when it is written. */
type PlainLine = NonNullable<ReturnType<typeof plainLine>>;

/** Returns a line with plain details; `undefined` for other details, which pino writes. */
function plainLine(level: number, args: readonly unknown[]) {
  const { 0: given, 1: msg, length: count } = args;
  if (count > 2 || typeof msg !== 'string' || !isPlainObject(given)) return undefined;
  let length = NUMBER_LENGTH + msg.length;
  const details = Object.isFrozen(given) ? given : { ...given };
  for (const key in details) {
    const value = details[key];
    if (key === 'err' || !isPlain(value)) return undefined;
    length += key.length + (typeof value === 'string' ? value.length : NUMBER_LENGTH);
  }
  return { level, timeMs: Date.now(), details, msg, length };
}

/** Returns the text that pino would write. pino joins about ten strings for each detail, so it allocates 1.5 kB more. */
function textOf(line: string | PlainLine): string {
  if (typeof line === 'string') return line;
  const { level, timeMs, details, msg } = line;
  const json = JSON.stringify(details).slice(1, -1);
  return `{"level":${level},"time":${timeMs},${json}${json && ','}"msg":${JSON.stringify(msg)}}\n`;
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || value === undefined;
