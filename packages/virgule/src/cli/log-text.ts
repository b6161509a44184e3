import { showControls } from '@virgule/core/text';
import pico from 'picocolors';

export interface LogTextOptions {
  readonly color: boolean;
  /** Wall-clock time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Returns a function that turns a line of our own log into lines for people. What stands in an entry may come from
 * anyone in the chat: it is shown, whatever it holds.
 */
export function createLogText({ color, now }: LogTextOptions): (line: string) => string {
  const { cyan, dim, red, yellow } = pico.createColors(color);
  const markOf = (level: number): string => {
    if (level >= 50) return red('✗');
    if (level >= 40) return yellow('!');
    return level >= 30 ? cyan('▸') : dim('·');
  };

  return (text) => {
    const entry = parseLogLine(text);
    if (!entry) return `${showControls(text)}\n`;
    const { level, msg, ms, message, hint, stack } = entry;
    const lines = [
      `${dim(timeOfDay(now()))} ${markOf(level)} ${showControls(msg)}${ms === undefined ? '' : dim(`  ${ms} ms`)}`,
    ];
    if (level >= 50 && stack) lines.push(dim(`  ${showControls(stack)}`));
    else if (message && !msg.includes(message)) lines.push(`  ${showControls(message)}`);
    if (hint) lines.push(`  Try:  ${showControls(hint)}`);
    return `${lines.join('\n')}\n`;
  };
}

/** `10:21:07`, local time. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs).toTimeString().slice(0, 8);
}

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly ms?: number | undefined;
  /** Of the error that it is about. */
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
  readonly stack?: string | undefined;
}

/** Reads an entry; of its fields, those that are not what they should be are left out. */
function parseLogLine(text: string): LogEntry | null {
  const entry = fieldsOf(text.startsWith('{"level":') ? parsed(text) : null);
  const { level, msg, ms } = entry;
  if (typeof level !== 'number' || typeof msg !== 'string') return null;
  const err = fieldsOf(entry['err']);
  const textOf = (name: string): string | undefined => {
    const value = err[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    level,
    msg,
    ms: typeof ms === 'number' ? ms : undefined,
    message: textOf('message'),
    hint: textOf('hint'),
    stack: textOf('stack'),
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
