import { systemClock } from '@virgule/core/clock';
import { RecentIds } from '@virgule/core/collections';
import { isRecord, recordIn } from '@virgule/core/objects';
import { cutMiddle, showControls } from '@virgule/core/text';
import { createColors } from './colors.js';
import { fitFrame } from './fit-line.js';
import type { Io } from './io.js';
import { hangText } from './text-table.js';

/**
 * Returns a function that converts a line of our own log into lines for people. An entry may contain text from the
 * chat, which is shown in any form.
 *
 * @param now - returns the wall-clock time, in milliseconds since the epoch
 */
export function createLogText({
  color,
  now,
  columns = () => Infinity,
}: {
  readonly color: boolean;
  readonly now: () => number;
  /** Returns the width to which lines are wrapped, and frames of code are cut. @defaultValue any width */
  readonly columns?: () => number;
}): (line: string) => string {
  const { cyan, dim, red, yellow } = createColors(color);
  const markOf = (level: number): string => {
    if (level >= 50) return red('✗');
    if (level >= 40) return yellow('!');
    return level >= 30 ? cyan('▸') : dim('·');
  };

  /** Commands whose failure was printed, so that the line about their end is omitted. */
  const failed = new RecentIds(MAX_FAILED);

  return (text) => {
    const entry = text.startsWith('{"level":') ? recordIn(text) : undefined;
    const { level, msg, ms } = entry ?? {};
    if (!entry || typeof level !== 'number' || typeof msg !== 'string')
      return `${showControls(text)}\n`;
    const { frame, hint, interactionId, result } = textsIn(entry);
    const errors = errorsIn(entry['err']);
    const { details, stacks } = readDetails(entry);
    const isError = level >= 50;
    if (interactionId !== undefined) {
      if (isError) failed.add(interactionId);
      else if (result !== undefined && result !== 'ok' && failed.delete(interactionId)) return '';
    }
    const took = typeof ms === 'number' ? dim(`  ${ms} ms`) : '';
    const shown = details === '' ? took : `${took}${dim(`  ${details}`)}`;
    const first = hangText(`${show(withType(msg, errors[0]))}${shown}`, columns(), HEAD_COLUMNS);
    const lines = [`${dim(timeOfDay(now()))} ${markOf(level)} ${first}`];
    const tryLine = (text: string): string =>
      `  Try:  ${hangText(show(text), columns(), TRY_COLUMNS)}`;
    if (isError && frame) lines.push('', fitFrame(showControls(frame, ''), columns()), '');
    if (isError) lines.push(...stacks.map((stack) => dim(`  ${show(stack)}`)));
    // The stack and the causes of a warning are omitted.
    for (const [depth, error] of (isError ? errors : errors.slice(0, 1)).entries()) {
      const { message } = error;
      const [head, frames] = splitStack(isError ? (error['stack'] ?? '') : '');
      const isSaid = message !== undefined && message !== '' && msg.includes(message);
      if (depth > 0) lines.push(`  Cause: ${show(withType(message ?? head, error))}`);
      else if (head && !isSaid) lines.push(dim(`  ${show(head)}`));
      else if (!frames && message && !isSaid) lines.push(`  ${show(message)}`);
      if (frames) lines.push(dim(`  ${show(frames)}`));
      if (error['hint']) lines.push(tryLine(error['hint']));
    }
    if (hint) lines.push(tryLine(hint));
    return `${lines.join('\n')}\n`;
  };
}

/** Returns the function of `createLogText` for the terminal of a program. */
export const logTextOf = (io: Pick<Io, 'color' | 'columns'>) =>
  createLogText({ color: io.color, now: () => systemClock.now(), columns: () => io.columns });

/** Columns of the time and the mark of a line, and of the word before a hint. */
const HEAD_COLUMNS = 11;
const TRY_COLUMNS = 8;

/** Shortens and escapes text written by users, which can have any length. */
const show = (text: string): string => showControls(cutMiddle(text));

/** Number of commands that are remembered. */
const MAX_FAILED = 1_000;

/** Adds the type of an error to a text that ends with its message, unless the type is `Error`. */
function withType(text: string, err: Texts | undefined): string {
  const { type, message } = err ?? {};
  if (!type || !message || ['Error', 'VirguleError'].includes(type) || !text.endsWith(message))
    return text;
  return `${text.slice(0, text.length - message.length)}${type}: ${message}`;
}

/** Splits a stack into the thrown error and its frames. */
function splitStack(stack: string): [head: string, frames: string] {
  const at = stack.search(/^ {4}(?:at|…) /m);
  return at < 0 ? [stack, ''] : [stack.slice(0, at).trimEnd(), stack.slice(at)];
}

/** Keys with a fixed place in a line, and keys that the message repeats. */
const KNOWN_KEYS = new Set(
  'level time msg ms err frame where hint command interactionId causeId file'.split(' '),
);

const MAX_DETAIL_LENGTH = 200;

/** Returns the other details of an entry as `key=value`, and the stacks of the errors among them. */
function readDetails(entry: object) {
  // The line at the end of a command or of a run of a task contains figures for programs only.
  const isEnd = 'queueMs' in entry || ('lateMs' in entry && 'ms' in entry);
  const others = isEnd ? [] : Object.entries(entry);
  const stacks: string[] = [];
  const words = others.flatMap(([key, value]) => {
    if (KNOWN_KEYS.has(key)) return [];
    const { message, stack } = isRecord(value) ? value : {};
    const isError = typeof message === 'string' && typeof stack === 'string';
    if (isError) stacks.push(stack);
    const word = wordOf(isError ? message : value);
    return [
      `${key}=${word.length > MAX_DETAIL_LENGTH ? `${word.slice(0, MAX_DETAIL_LENGTH - 1)}…` : word}`,
    ];
  });
  return { details: showControls(words.join(' ')), stacks };
}

/** Returns a plain word unchanged, and any other value as JSON, which has no control characters. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:@#-]+$/.test(value) ? value : JSON.stringify(value);

/** Returns the local time, as `10:21:07`. */
export const timeOfDay = (epochMs: number): string => new Date(epochMs).toTimeString().slice(0, 8);

/** String fields of an entry, or of an error in an entry. */
type Texts = Readonly<Record<string, string | undefined>>;

const textsIn = (fields: Readonly<Record<string, unknown>>): Texts =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] => typeof field[1] === 'string',
    ),
  );

/** Returns an error of an entry, and its causes. */
function errorsIn(value: unknown): Texts[] {
  const errors: Texts[] = [];
  for (let each = value; isRecord(each) && errors.length <= MAX_CAUSES; each = each['cause'])
    errors.push(textsIn(each));
  return errors;
}

/** Maximum depth of causes: an entry may come from code that imitates our log. */
const MAX_CAUSES = 5;
