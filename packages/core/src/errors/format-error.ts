import { cutMiddle } from '../text/cut-middle.js';
import { showControls, showOnOneLine } from '../text/show-controls.js';
import { errorText, readableError } from './error-text.js';
import { redactError } from './redact-error.js';
import { isVirguleError, type SourceLocation } from './virgule-error.js';

/** Functions that change parts of the text. By default, nothing is changed. */
export interface ErrorStyle {
  readonly strong?: (text: string) => string;
  readonly dim?: (text: string) => string;
  /** First word of the text. @defaultValue `'Error'` */
  readonly title?: string;
  /** Removes secrets, before long parts are cut. */
  readonly redact?: (text: string) => string;
}

const asIs = (text: string): string => text;

/**
 * Returns an error as text for a terminal: message, location, hint, address of the documentation. A stack is shown only
 * for errors of other kinds than `user`. The middle of very long parts is left out. Control characters are escaped,
 * because some parts are foreign text.
 *
 * @example
 * ```
 * Error [E_COMMAND_CONFLICT] commands/play.ts and commands/play/index.ts both define /play.
 *   at commands/play/index.ts
 * Try:  Delete one of them, or rename it.
 * Docs: https://virgule.dev/errors/e_command_conflict
 * ```
 */
export function formatError(
  thrown: unknown,
  { strong = asIs, dim = asIs, title = 'Error', redact }: ErrorStyle = {},
): string {
  const error = redact ? redactError(thrown, redact) : thrown;
  if (!isVirguleError(error)) {
    const readable = readableError(error);
    const stack = readable instanceof Error ? readable.stack : undefined;
    return `${strong(title)} ${indented(stack ?? errorText(readable))}`;
  }
  const code = showOnOneLine(error.code);
  // The message of an error of a test ends with its hint.
  const message = error.message.replace(`\nTry:  ${error.hint}`, '');
  const lines = [`${strong(`${title} [${code}]`)} ${indented(message)}`];
  if (error.location) lines.push(dim(`  at ${showOnOneLine(formatLocation(error.location))}`));
  const frame = error.details['frame'];
  // Each line starts with a number or a mark.
  if (typeof frame === 'string' && frame !== '') lines.push('', showControls(frame, ''), '');
  if (error.hint) lines.push(`Try:  ${indented(error.hint)}`);
  if (error.kind === 'bug')
    lines.push(
      'This is a bug in Virgule. Please report it with these lines:',
      showControls(error.stack ?? ''),
    );
  lines.push(dim(`Docs: ${showOnOneLine(error.docsUrl)}`));
  return lines.join('\n');
}

/** Returns `file`, `file:line` or `file:line:column`. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':');
}

/** Cuts the middle of long text, and indents all lines after the first, unlike those of formatError. */
const indented = (text: string): string =>
  showControls(cutMiddle(text), '').replace(/\n(?! {2})/g, '\n  ');
