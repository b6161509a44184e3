import { showControls, showOnOneLine } from '../text/show-controls.js';
import { errorText, readableError } from './error-text.js';
import { isVirguleError, type SourceLocation, type VirguleError } from './virgule-error.js';

/** How parts of the text are marked; each default leaves it as it is. */
export interface ErrorStyle {
  readonly strong?: (text: string) => string;
  readonly dim?: (text: string) => string;
  /** What it is called. @defaultValue `'Error'` */
  readonly title?: string;
}

const asIs = (text: string): string => text;

/**
 * Returns an error as text for a terminal: what happened, where, what to do, where to read on. A stack is
 * shown only for what is not a user's error. Control characters of its parts, some of which others wrote, are
 * shown as escapes.
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
  error: unknown,
  { strong = asIs, dim = asIs, title = 'Error' }: ErrorStyle = {},
): string {
  if (!isVirguleError(error)) {
    const readable = readableError(error);
    const stack = readable instanceof Error ? readable.stack : undefined;
    return `${strong(title)} ${indented(stack ?? errorText(readable))}`;
  }
  const code = showOnOneLine(error.code);
  const lines = [`${strong(`${title} [${code}]`)} ${indented(error.message)}`];
  if (error.location) lines.push(dim(`  at ${showOnOneLine(formatLocation(error.location))}`));
  const frame = error.details['frame'];
  // Each of its lines begins with a number or a mark.
  if (typeof frame === 'string' && frame !== '') lines.push('', showControls(frame, ''), '');
  if (error.hint) lines.push(`Try:  ${indented(error.hint)}`);
  if (error.kind === 'bug') lines.push(...bugLines(error));
  lines.push(dim(`Docs: ${showOnOneLine(error.docsUrl)}`));
  return lines.join('\n');
}

/** `file`, `file:line` or `file:line:column`. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':');
}

/** No line of it begins where a line of ours does. */
const indented = (text: string): string => showControls(text, '').replace(/\n(?! {2})/g, '\n  ');

function bugLines(error: VirguleError): string[] {
  return [
    'This is a defect of Virgule. Please report it with these lines:',
    showControls(error.stack ?? ''),
  ];
}
