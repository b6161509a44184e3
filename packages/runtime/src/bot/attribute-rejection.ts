import type { Project } from '../load/project.js';
import type { OpenRun } from './bot-environment.js';

/** Where an unhandled rejection came from. */
export interface RejectionSource {
  readonly command: string | undefined;
  readonly file: string | undefined;
  /** Set if a single run of the command is in progress: of several, the stack does not name one. */
  readonly interactionId: string | undefined;
  /** For the `error` events: a command, a file, or `unknown`. */
  readonly during: string;
  /** The beginning of the log line. */
  readonly text: string;
}

/**
 * Attributes an unhandled rejection to a command or event by the files that its stack names. Following
 * every promise of a handler instead would cost each command an eighth of its time.
 */
export function attributeRejection(
  reason: unknown,
  project: Project,
  runs: Iterable<OpenRun>,
): RejectionSource {
  const running = [...runs];
  const stack = reason instanceof Error ? (reason.stack ?? '') : '';
  const commands = [...project.commands.values()];
  const command = earliest(commands, stack);
  if (command) {
    const own = running.filter((run) => run.command.file === command.file);
    const only = own.length === 1 ? own[0] : undefined;
    const name = `/${command.name}`;
    return {
      command: command.name,
      file: command.file,
      interactionId: only?.event.interactionId,
      during: name,
      text: `unhandled rejection in ${name}`,
    };
  }
  const listener = earliest([...project.events.values()].flat(), stack);
  if (listener) {
    const { file } = listener;
    return {
      command: undefined,
      file,
      interactionId: undefined,
      during: file,
      text: `unhandled rejection in ${file}`,
    };
  }
  const names = [...new Set(running.map((run) => `/${run.command.name}`))].toSorted();
  const meanwhile = names.length === 0 ? '' : ` while ${names.join(', ')} ran`;
  return {
    command: undefined,
    file: undefined,
    interactionId: undefined,
    during: 'unknown',
    text: `unhandled rejection${meanwhile}`,
  };
}

/** Returns the owner whose file is nearest to the top of a stack. Stacks write paths as the system does. */
function earliest<Owner extends { readonly file: string }>(
  owners: readonly Owner[],
  stack: string,
): Owner | undefined {
  const text = stack.replaceAll('\\', '/');
  let found: Owner | undefined;
  let foundAt = Infinity;
  for (const owner of owners) {
    const at = indexOfFile(text, owner.file);
    if (at < foundAt) {
      found = owner;
      foundAt = at;
    }
  }
  return found;
}

/** Returns where a stack names a file, as a whole path before a line number or a query; `Infinity` if it does not. */
function indexOfFile(stack: string, file: string): number {
  let at = stack.indexOf(`/${file}`);
  while (at >= 0) {
    const after = stack.charAt(at + 1 + file.length);
    if (after === ':' || after === '?' || after === ')') return at;
    at = stack.indexOf(`/${file}`, at + 1);
  }
  return Infinity;
}
