import { isVirguleError, type SourceLocation, type VirguleError } from './virgule-error.js';

/** Functions that mark parts of the text. By default, nothing is marked. */
export interface ErrorStyle {
  readonly strong?: (text: string) => string;
  readonly dim?: (text: string) => string;
  /** First word of the text. @defaultValue `'Error'` */
  readonly title?: string;
}

const asIs = (text: string): string => text;

/**
 * The text of an error for a terminal: what happened, where, what to do, where to read on. A stack is
 * shown only for what is not a user's error.
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
    return `${strong(title)} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  }
  const lines = [`${strong(`${title} [${error.code}]`)} ${error.message}`];
  if (error.location) lines.push(dim(`  at ${formatLocation(error.location)}`));
  const frame = error.details['frame'];
  if (typeof frame === 'string' && frame !== '') lines.push('', frame, '');
  if (error.hint) lines.push(`Try:  ${error.hint}`);
  if (error.kind === 'bug') lines.push(...bugLines(error));
  lines.push(dim(`Docs: ${error.docsUrl}`));
  return lines.join('\n');
}

/** Returns `file`, `file:line` or `file:line:column`. */
export function formatLocation({ file, line, column }: SourceLocation): string {
  return [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':');
}

function bugLines(error: VirguleError): string[] {
  return ['This is a bug in Virgule. Please report it with these lines:', error.stack ?? ''];
}
