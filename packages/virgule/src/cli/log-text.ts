import { showControls } from '@virgule/core/text';
import pico from 'picocolors';

export interface LogTextOptions {
  readonly color: boolean;
  /** Wall-clock time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Returns a function that turns a line of our own log into lines for people. An entry may contain text
 * from the chat: it is shown, whatever it contains.
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
    const { level, msg, ms, message, hint, details, stacks } = entry;
    const lines = [
      `${dim(timeOfDay(now()))} ${markOf(level)} ${showControls(msg)}${ms === undefined ? '' : dim(`  ${ms} ms`)}`,
    ];
    if (details !== '') lines[0] += dim(`  ${details}`);
    if (level >= 50) lines.push(...stacks.map((stack) => dim(`  ${showControls(stack)}`)));
    if (message && !lines.join().includes(showControls(message)))
      lines.push(`  ${showControls(message)}`);
    if (hint) lines.push(`  Try:  ${showControls(hint)}`);
    return `${lines.join('\n')}\n`;
  };
}

/** Keys that have a place of their own in a line, or repeat what its message says. */
const KNOWN_KEYS = new Set('level time msg ms err command interactionId file'.split(' '));

const DETAIL_MAX_LENGTH = 200;

/** Returns the other details of an entry as `key=value`, and the stacks of all errors in it. */
function readDetails(entry: Fields): { readonly details: string; readonly stacks: string[] } {
  // The line that ends a command has a dozen figures, for machines.
  const others = 'queueMs' in entry ? [] : Object.entries(entry);
  const stacks: string[] = [];
  const words = others.flatMap(([key, value]) => {
    if (KNOWN_KEYS.has(key)) return [];
    const { message, stack } = fieldsOf(value);
    const isError = typeof message === 'string' && typeof stack === 'string';
    if (isError) stacks.push(stack);
    const word = wordOf(isError ? message : value);
    return [
      `${key}=${word.length > DETAIL_MAX_LENGTH ? `${word.slice(0, DETAIL_MAX_LENGTH - 1)}…` : word}`,
    ];
  });
  const { stack } = fieldsOf(entry['err']);
  if (typeof stack === 'string') stacks.push(stack);
  return { details: showControls(words.join(' ')), stacks };
}

/** A plain word as it is, anything else as JSON, which has no control characters. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@#-]+$/.test(value) ? value : JSON.stringify(value);

/** `10:21:07`, local time. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs).toTimeString().slice(0, 8);
}

type Fields = Readonly<Record<string, unknown>>;

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly ms?: number | undefined;
  /** Of the error that it is about. */
  readonly message?: string | undefined;
  readonly hint?: string | undefined;
  /** All other keys, as `key=value`. */
  readonly details: string;
  /** Of every error in it. */
  readonly stacks: readonly string[];
}

/** Reads an entry; of its fields, those that are not what they should be are left out. */
function parseLogLine(text: string): LogEntry | null {
  const entry = fieldsOf(text.startsWith('{"level":') ? parsed(text) : null);
  const { level, msg, ms } = entry;
  if (typeof level !== 'number' || typeof msg !== 'string') return null;
  const { message, hint } = fieldsOf(entry['err']);
  return {
    level,
    msg,
    ms: typeof ms === 'number' ? ms : undefined,
    message: typeof message === 'string' ? message : undefined,
    hint: typeof hint === 'string' ? hint : undefined,
    ...readDetails(entry),
  };
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
