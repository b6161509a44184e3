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
        if (line === undefined) log.apply(this, args);
        else write(line);
      },
    },
  };
  // The redaction of pino copies every line, and costs more than the rest of the line.
  const target = destination ?? pino.destination(AT_ONCE);
  const write = buffered
    ? bufferedOutput(redact)
    : (line: string) => target.write(prefix + redactLine(line, redact));
  const logger = pino(pinoOptions, { write });
  return Object.assign(logger, { hide: (texts: readonly string[]) => redact.hide(texts) });
}

/** Maximum size of lines that wait, in characters. */
const BATCH_LENGTH = 64 * 1024;

/**
 * Returns a function that redacts and writes lines together. Lines that a full pipe or a full disk does not take wait, up to 8 MiB,
 * and are written later; the end of the process waits a second for a full pipe. After the reader has closed the pipe, lines are dropped.
 */
function bufferedOutput(redact: Redactor): (line: string) => void {
  let lastTries = 0;
  let batch = '';
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
    if (batch === '') return target.flush();
    // The types of pino know only the mode of strings.
    target.write(Buffer.from(redactLines(batch, redact)) as never);
    batch = '';
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
    batch += line;
    if (batch.length >= BATCH_LENGTH) flush();
  };
}

/**
 * Returns the line that pino would write, if all details are strings and numbers, as those of a command; `undefined` for other
 * details. pino joins about ten strings for each detail, so its line allocates 1.5 kB more.
 */
function plainLine(level: number, args: readonly unknown[]): string | undefined {
  const { 0: details, 1: msg, length } = args;
  if (length > 2 || typeof msg !== 'string' || !isPlainObject(details)) return undefined;
  for (const key in details) if (key === 'err' || !isPlain(details[key])) return undefined;
  const json = JSON.stringify(details);
  if (json === '{}') return undefined;
  return `{"level":${level},"time":${Date.now()},${json.slice(1, -1)},"msg":${JSON.stringify(msg)}}\n`;
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || value === undefined;
