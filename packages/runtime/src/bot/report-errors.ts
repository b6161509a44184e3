import { errorText, readableError } from '@virgule/core/errors';
import type { Project } from '../load/project.js';
import type { BotEnvironment, OpenRun } from '../command/environment.js';

export function reportRejection(
  thrown: unknown,
  project: Project,
  { log, runs, stopping, onError }: BotEnvironment,
): void {
  const reason = readableError(thrown);
  // Handlers may leave work running, such as reminders. The end of such work at a shutdown is no error.
  if (stopping.aborted && reason === stopping.reason) {
    log.debug({}, 'the shutdown ended what a handler had left running');
    return;
  }
  const source = attributeError('unhandled rejection', reason, project, runs);
  const { command, file } = source;
  log.error({ command, file, err: reason }, `${source.text}: ${errorText(reason)}`);
  onError(reason, source.during);
}

/** Reports an uncaught exception, with the commands that the end of the process interrupts. */
export function reportUncaught(thrown: unknown, project: Project, env: BotEnvironment): void {
  const { log, runs } = env;
  const error = readableError(thrown);
  const source = attributeError('uncaught exception', error, project, runs);
  const { command, file, text } = source;
  const interrupted = interruptedNames(runs);
  const consequence = interrupted === '' ? '' : `; the process ends and interrupts ${interrupted}`;
  log.error({ command, file, err: error }, `${text}: ${errorText(error)}${consequence}`);
  env.recorder?.crashed(error, source.during, env);
}

/** Returns the names of commands that have not ended, such as `/a, /b`; an empty string if there are none. */
export const interruptedNames = (runs: Iterable<OpenRun>): string =>
  namesOf([...runs].filter(({ lifetime }) => !lifetime.isOver));

/** Attributes an error to a command or event by the files in its stack: tracking every promise makes a command an eighth slower. */
function attributeError(
  what: 'unhandled rejection' | 'uncaught exception',
  reason: unknown,
  project: Project,
  runs: Iterable<OpenRun>,
) {
  // Stacks contain paths in the form of the operating system.
  const stack = (reason instanceof Error ? (reason.stack ?? '') : '').replaceAll('\\', '/');
  const command = nearest([...project.commands.values()], stack);
  const owner = command ?? nearest([...project.events.values()].flat(), stack);
  if (owner) {
    const { file } = owner;
    const during = command ? `/${command.name}` : file;
    return { command: command?.name, file, during, text: `${what} in ${during}` };
  }
  const names = namesOf([...runs]);
  return { during: 'unknown', text: names === '' ? what : `${what} while ${names} ran` };
}

/** Returns the names of the commands of some runs, such as `/a, /b`. */
const namesOf = (runs: readonly OpenRun[]): string =>
  [...new Set(runs.map((run) => `/${run.command.name}`))].toSorted().join(', ');

/** Returns the owner whose file is nearest to the top of a stack. */
function nearest<Owner extends { readonly file: string }>(owners: readonly Owner[], stack: string) {
  return owners
    .map((owner) => ({ owner, at: indexOfFile(stack, owner.file) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]?.owner;
}

/** Returns the index of a file's path in a stack, followed by a line number or a query; -1 if the stack does not contain the path. */
const indexOfFile = (stack: string, file: string): number =>
  stack.search(new RegExp(`/${file.replace(/\W/g, String.raw`\$&`)}[:?)]`));
