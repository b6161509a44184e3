import type { Project } from '../load/project.js';
import type { CommandRun } from './command-run.js';

/**
 * Attributes an unhandled rejection to a command or event by the files that its stack names. Following
 * every promise of a handler instead would cost each command an eighth of its time.
 */
export function attributeRejection(reason: unknown, project: Project, runs: Iterable<CommandRun>) {
  const running = [...runs];
  // Stacks write paths as the system does.
  const stack = (reason instanceof Error ? (reason.stack ?? '') : '').replaceAll('\\', '/');
  const command = nearest([...project.commands.values()], stack);
  const owner = command ?? nearest([...project.events.values()].flat(), stack);
  if (!owner) {
    const names = [...new Set(running.map((run) => `/${run.command.name}`))].toSorted();
    const meanwhile = names.length === 0 ? '' : ` while ${names.join(', ')} ran`;
    return { during: 'unknown', text: `unhandled rejection${meanwhile}` };
  }
  const { file } = owner;
  // For the `error` events.
  const during = command ? `/${command.name}` : file;
  // Of several runs, the stack does not name one.
  const [own, ...others] = running.filter((run) => run.command.file === file);
  const interactionId = others.length === 0 ? own?.event.interactionId : undefined;
  return {
    command: command?.name,
    file,
    interactionId,
    during,
    text: `unhandled rejection in ${during}`,
  };
}

/** Returns the owner whose file is nearest to the top of a stack. */
function nearest<Owner extends { readonly file: string }>(
  owners: readonly Owner[],
  stack: string,
): Owner | undefined {
  return owners
    .map((owner) => ({ owner, at: indexOfFile(stack, owner.file) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]?.owner;
}

/** Returns where a stack names a file, as a whole path before a line number or a query; -1 if it does not. */
function indexOfFile(stack: string, file: string): number {
  return stack.search(new RegExp(`/${file.replace(/\W/g, String.raw`\$&`)}[:?)]`));
}
