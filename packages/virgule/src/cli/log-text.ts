import pico from 'picocolors';

export interface LogTextOptions {
  readonly color: boolean;
  /** Wall-clock time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Turns lines of a bot's output into lines for people: log entries are JSON, anything else is shown as it is. */
export function createLogText({ color, now }: LogTextOptions): (line: string) => string {
  const { cyan, dim, red, yellow } = pico.createColors(color);
  const markOf = (level: number): string => {
    if (level >= 50) return red('✗');
    if (level >= 40) return yellow('!');
    return level >= 30 ? cyan('▸') : dim('·');
  };

  return (text) => {
    const entry = parseLogLine(text);
    if (!entry) return `${text}\n`;
    const { level, msg, ms, err } = entry;
    const lines = [
      `${dim(timeOfDay(now()))} ${markOf(level)} ${msg}${typeof ms === 'number' ? dim(`  ${ms} ms`) : ''}`,
    ];
    const { text: details, stacks } = readDetails(entry);
    if (details !== '') lines[0] += dim(`  ${details}`);
    if (level >= 50) lines.push(...stacks.map((stack) => dim(stack.replaceAll(/^/gm, '  '))));
    if (level >= 50 && err?.stack) lines.push(dim(err.stack.replaceAll(/^/gm, '  ')));
    else if (err?.message && !msg.includes(err.message)) lines.push(`  ${err.message}`);
    if (err?.hint) lines.push(`  Try:  ${err.hint}`);
    return `${lines.join('\n')}\n`;
  };
}

/** Keys that have a place of their own in a line, or say what its message says. */
const KNOWN_KEYS = new Set('level time msg ms err command interactionId file'.split(' '));

const DETAIL_MAX_LENGTH = 200;

/** The other details of an entry as `key=value`, and the stacks of the errors among them. */
function readDetails(entry: LogEntry): { readonly text: string; readonly stacks: string[] } {
  const stacks: string[] = [];
  // The line that ends a command has a dozen figures, for machines.
  if ('queueMs' in entry) return { text: '', stacks };
  const words = Object.entries(entry).flatMap(([key, value]: [string, unknown]) => {
    if (KNOWN_KEYS.has(key)) return [];
    const { message, stack } = Object(value) as { message?: unknown; stack?: unknown };
    const isError = typeof message === 'string' && typeof stack === 'string';
    if (isError) stacks.push(stack);
    const word = wordOf(isError ? message : value);
    return [
      `${key}=${word.length > DETAIL_MAX_LENGTH ? `${word.slice(0, DETAIL_MAX_LENGTH - 1)}…` : word}`,
    ];
  });
  return { text: words.join(' '), stacks };
}

/** A plain word as it is, anything else as JSON, which has no control characters. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@#-]+$/.test(value) ? value : JSON.stringify(value);

/** `10:21:07`, local time. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs).toTimeString().slice(0, 8);
}

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly ms?: unknown;
  readonly err?: { readonly message?: string; readonly hint?: string; readonly stack?: string };
}

/** Gives an entry of our own log; lines of other loggers begin alike and are left as they are. */
function parseLogLine(text: string): LogEntry | null {
  if (!text.startsWith('{"level":')) return null;
  try {
    const entry = JSON.parse(text) as Partial<LogEntry>;
    return typeof entry.level === 'number' && typeof entry.msg === 'string'
      ? (entry as LogEntry)
      : null;
  } catch {
    return null;
  }
}
