import type { Project } from '../load/project.js';
import type { CommandRun } from './command-run.js';

/** Where a rejected promise came from that nobody waited for. */
export interface Culprit {
  readonly command: string | undefined;
  readonly file: string | undefined;
  /** Only when a single run of the command is under way: of several, nothing says which one it was. */
  readonly interactionId: string | undefined;
  /** For the `error` events: a command, a file, or that it is not known. */
  readonly during: string;
  /** The beginning of a line that tells it. */
  readonly text: string;
}

/**
 * Finds out whose promise was rejected, by the files that its stack names. Following every promise of
 * a handler instead would cost each command an eighth of its time.
 */
export function attributeRejection(
  reason: unknown,
  project: Project,
  runs: Iterable<CommandRun>,
): Culprit {
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
      text: `A promise of ${name} was rejected, and nobody waited for it`,
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
      text: `A promise of ${file} was rejected, and nobody waited for it`,
    };
  }
  const names = [...new Set(running.map((run) => `/${run.command.name}`))].toSorted();
  const meanwhile = names.length === 0 ? '' : ` while ${names.join(', ')} ran`;
  return {
    command: undefined,
    file: undefined,
    interactionId: undefined,
    during: 'unknown',
    text: `A promise was rejected${meanwhile}, and nobody waited for it`,
  };
}

/** The one whose file stands nearest to the top of a stack. Stacks write paths as the system does. */
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

/** Where a stack names a file: as a whole path, before a line number or a query. */
function indexOfFile(stack: string, file: string): number {
  let at = stack.indexOf(`/${file}`);
  while (at >= 0) {
    const after = stack.charAt(at + 1 + file.length);
    if (after === ':' || after === '?' || after === ')') return at;
    at = stack.indexOf(`/${file}`, at + 1);
  }
  return Infinity;
}
