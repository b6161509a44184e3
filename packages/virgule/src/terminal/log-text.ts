import { RecentIds } from '@virgule/core/collections';
import { isObject } from '@virgule/core/objects';
import { cutMiddle, showControls } from '@virgule/core/text';
import { createColors } from './colors.js';

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
  const { cyan, dim, red, yellow } = createColors(color);
  const markOf = (level: number): string => {
    if (level >= 50) return red('✗');
    if (level >= 40) return yellow('!');
    return level >= 30 ? cyan('▸') : dim('·');
  };

  /** Commands whose failure was printed: the line about their end would repeat it. */
  const failed = new RecentIds(MAX_FAILED);

  return (text) => {
    const entry = parseLogLine(text);
    if (!entry) return `${showControls(text)}\n`;
    const { level, ms, err, frame, hint, interactionId, result, details, stacks } = entry;
    const isError = level >= 50;
    if (interactionId !== undefined) {
      if (isError) failed.add(interactionId);
      else if (result !== undefined && result !== 'ok' && failed.delete(interactionId)) return '';
    }
    const msg = withType(entry.msg, err);
    const lines = [
      `${dim(timeOfDay(now()))} ${markOf(level)} ${show(msg)}${ms === undefined ? '' : dim(`  ${ms} ms`)}`,
    ];
    if (details !== '') lines[0] += dim(`  ${details}`);
    if (isError && frame) lines.push('', showControls(frame, ''), '');
    if (isError) lines.push(...stacks.map((stack) => dim(`  ${show(stack)}`)));
    for (let each = err, depth = 0; each; each = each.cause, depth += 1) {
      const { message, stack } = each;
      const [head, frames] = splitStack(isError ? (stack ?? '') : '');
      const said = withType(message ?? head, each);
      if (depth > 0) lines.push(`  Cause: ${show(said)}`);
      else if (head && !(message && entry.msg.includes(message)))
        lines.push(dim(`  ${show(head)}`));
      else if (!frames && message && !entry.msg.includes(message)) lines.push(`  ${show(message)}`);
      if (frames) lines.push(dim(`  ${show(frames)}`));
      if (each.hint) lines.push(`  Try:  ${show(each.hint)}`);
      if (!isError) break;
    }
    if (hint) lines.push(`  Try:  ${show(hint)}`);
    return `${lines.join('\n')}\n`;
  };
}

/** What people have written can have any length. */
const show = (text: string): string => showControls(cutMiddle(text));

/** How many commands are remembered. */
const MAX_FAILED = 1_000;

/** Adds the type of an error to a text that ends with its message; `Error` goes without saying. */
function withType(text: string, err: LogError | undefined): string {
  const { type, message } = err ?? {};
  if (!type || !message || ['Error', 'VirguleError'].includes(type) || !text.endsWith(message))
    return text;
  return `${text.slice(0, text.length - message.length)}${type}: ${message}`;
}

/** Divides a stack into what was thrown, and its frames. */
function splitStack(stack: string): [head: string, frames: string] {
  const at = stack.search(/^ {4}(?:at|…) /m);
  return at < 0 ? [stack, ''] : [stack.slice(0, at).trimEnd(), stack.slice(at)];
}

/** Keys that have a place of their own in a line, or repeat what its message says. */
const KNOWN_KEYS = new Set(
  'level time msg ms err frame hint command interactionId file'.split(' '),
);

const MAX_DETAIL_LENGTH = 200;

/** Returns the other details of an entry as `key=value`, and the stacks of the errors among them. */
function readDetails(entry: Fields): { readonly details: string; readonly stacks: string[] } {
  // The line that ends a command, or a run of a task, has figures for machines.
  const isEnd = 'queueMs' in entry || ('lateMs' in entry && 'ms' in entry);
  const others = isEnd ? [] : Object.entries(entry);
  const stacks: string[] = [];
  const words = others.flatMap(([key, value]) => {
    if (KNOWN_KEYS.has(key)) return [];
    const { message, stack } = fieldsOf(value);
    const isError = typeof message === 'string' && typeof stack === 'string';
    if (isError) stacks.push(stack);
    const word = wordOf(isError ? message : value);
    return [
      `${key}=${word.length > MAX_DETAIL_LENGTH ? `${word.slice(0, MAX_DETAIL_LENGTH - 1)}…` : word}`,
    ];
  });
  return { details: showControls(words.join(' ')), stacks };
}

/** Returns a plain word unchanged, anything else as JSON, which has no control characters. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@#-]+$/.test(value) ? value : JSON.stringify(value);

/** Returns the local time, as `10:21:07`. */
export function timeOfDay(epochMs: number): string {
  return new Date(epochMs).toTimeString().slice(0, 8);
}

interface LogError {
  readonly type: string | undefined;
  readonly message: string | undefined;
  readonly hint: string | undefined;
  readonly stack: string | undefined;
  readonly cause: LogError | undefined;
}

interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly ms: number | undefined;
  /** The error that it is about. */
  readonly err: LogError | undefined;
  /** The lines of source around the place where it was thrown. */
  readonly frame: string | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;
  readonly interactionId: string | undefined;
  readonly result: string | undefined;
  /** All other keys, as `key=value`. */
  readonly details: string;
  /** Of the errors under other keys. */
  readonly stacks: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads an entry; of its fields, those that are not what they should be are left out. */
function parseLogLine(text: string): LogEntry | null {
  const entry = fieldsOf(text.startsWith('{"level":') ? parsed(text) : null);
  const { level, msg, ms } = entry;
  if (typeof level !== 'number' || typeof msg !== 'string') return null;
  return {
    level,
    msg,
    ms: typeof ms === 'number' ? ms : undefined,
    err: errorIn(entry['err']),
    frame: textIn(entry, 'frame'),
    hint: textIn(entry, 'hint'),
    interactionId: textIn(entry, 'interactionId'),
    result: textIn(entry, 'result'),
    ...readDetails(entry),
  };
}

function errorIn(value: unknown, depth = 0): LogError | undefined {
  if (!isObject(value) || depth > MAX_CAUSES) return undefined;
  const fields = fieldsOf(value);
  return {
    type: textIn(fields, 'type'),
    message: textIn(fields, 'message'),
    hint: textIn(fields, 'hint'),
    stack: textIn(fields, 'stack'),
    cause: errorIn(fields['cause'], depth + 1),
  };
}

/** An entry may come from code that imitates ours: its depth is limited. */
const MAX_CAUSES = 5;

function textIn(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

const fieldsOf = (value: unknown): Fields => (isObject(value) ? { ...value } : {});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
